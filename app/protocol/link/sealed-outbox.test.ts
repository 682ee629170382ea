import { describe, expect, it } from "vitest";
import { turn } from "../../contract/testing/manual-time.ts";
import { sealingError } from "../v1/message-sealing.ts";
import { SealedOutbox } from "./sealed-outbox.ts";

/** An outbox that hears what is sent, and with which code it was refused; `seal` fails or not. */
function outboxWith(seal: (number: number | undefined) => Promise<void>) {
  const heard: string[] = [];
  const outbox = new SealedOutbox(
    {
      prepare:
        async ({ plaintext: [number] }) =>
        async () => {
          await seal(number);
          return `${number} sealed`;
        },
      codeOf: (error) => (sealingError.is(error) ? error.code : "internal_error"),
    },
    (text) => heard.push(JSON.parse(text).encrypted_payload) > 0,
    () => () => undefined,
  );
  const post = (number: number, allowed?: Promise<boolean>) =>
    outbox.seal(
      `m${number}`,
      {
        conversation_id: "talk",
        content_type: "text",
        plaintext: Uint8Array.of(number),
        call_id: null,
      },
      { acked: () => {}, refused: (code) => heard.push(code) },
      allowed,
    );
  return { heard, outbox, post };
}

describe("messages that go out", () => {
  it("are sent in the order given, however long each takes to seal", async () => {
    const begun: (number | undefined)[] = [];
    const first = Promise.withResolvers<void>();
    const { heard, post } = outboxWith(async (number) => {
      begun.push(number);
      if (number === 1) await first.promise;
    });
    post(1);
    post(2);
    await turn();
    expect(begun).toEqual([1, 2]);
    expect(heard).toEqual([]);
    first.resolve();
    await turn();
    expect(heard).toEqual(["1 sealed", "2 sealed"]);
  });

  it("are refused with the sealing's code if they cannot be sealed, and the next one is sent", async () => {
    const { heard, post } = outboxWith(async (number) => {
      if (number === 1) throw sealingError("key_changed");
    });
    post(1);
    post(2);
    await turn();
    expect(heard).toEqual(["key_changed", "2 sealed"]);
  });

  it("are dropped without a report if they must not be sent, after delaying the later ones", async () => {
    const { heard, post } = outboxWith(async () => {});
    const second = Promise.withResolvers<boolean>();
    post(1, Promise.resolve(false));
    post(2, second.promise);
    post(3);
    await turn();
    expect(heard).toEqual([]);
    second.resolve(true);
    await turn();
    expect(heard).toEqual(["2 sealed", "3 sealed"]);
  });

  it("do not pass an earlier one when one between them is dropped", async () => {
    const { heard, post } = outboxWith(async () => {});
    const first = Promise.withResolvers<boolean>();
    post(1, first.promise);
    post(2, Promise.resolve(false));
    await turn();
    post(3);
    await turn();
    expect(heard).toEqual([]);
    first.resolve(true);
    await turn();
    expect(heard).toEqual(["1 sealed", "3 sealed"]);
  });

  it("are neither sealed nor reported as failed once the program ends", async () => {
    const begun: (number | undefined)[] = [];
    const first = Promise.withResolvers<void>();
    const { heard, outbox, post } = outboxWith(async (number) => {
      begun.push(number);
      await first.promise;
      throw sealingError("storage_failed");
    });
    post(1);
    await turn();
    outbox.close();
    post(2);
    first.resolve();
    await turn();
    expect([begun, heard]).toEqual([[1], []]);
  });

  it("are not sealed when they are withdrawn before, and were never sent", async () => {
    const { heard, outbox, post } = outboxWith(async () => {});
    post(1);
    post(2);
    expect(outbox.withdraw("m1")).toBe(false);
    await turn();
    expect(heard).toEqual(["2 sealed"]);
    expect(outbox.settled()).toBeUndefined();
  });

  it("are refused while they are being sealed, once", async () => {
    const sealing = Promise.withResolvers<void>();
    const { heard, outbox, post } = outboxWith(() => sealing.promise);
    post(1);
    outbox.refuseAll("disconnected");
    const settled = outbox.settled();
    sealing.resolve();
    await settled;
    expect(heard).toEqual(["disconnected"]);
  });
});
