import { describe, expect, it } from "vitest";
import { turn } from "../../app/contract/testing/manual-time.ts";
import { SealingError } from "../../app/protocol/v1/message-sealing.ts";
import { SealedOutbox } from "./sealed-outbox.ts";

describe("messages that go out", () => {
  const messageOf = (number: number) => ({
    conversation_id: "talk",
    client_message_id: `m${number}`,
    content_type: "text" as const,
    plaintext: Uint8Array.of(number),
    call_id: null,
    recipients: async () => ["agent"],
  });

  it("are sent in the order given, however long each takes to seal", async () => {
    const sent: string[] = [];
    const begun: (number | undefined)[] = [];
    const first = Promise.withResolvers<void>();
    const outbox = new SealedOutbox({
      sealing: {
        seal: async (plaintext, { recipient_ids, kind }) => {
          begun.push(plaintext[0]);
          if (plaintext[0] === 1) await first.promise;
          return `${plaintext[0]} ${kind} ${recipient_ids}`;
        },
      },
      transmit: (text) => sent.push(JSON.parse(text).encrypted_payload) > 0,
    });
    const codes: string[] = [];
    for (const number of [1, 2]) {
      outbox.post(messageOf(number), { acked: () => {}, refused: (code) => codes.push(code) });
    }
    await turn();
    expect(begun).toEqual([1, 2]);
    expect(sent).toEqual([]);
    first.resolve();
    await turn();
    expect(sent).toEqual(["1 text agent", "2 text agent"]);
    expect(codes).toEqual([]);
  });

  it("are refused with the sealing's code if they cannot be sealed, and the next one is sent", async () => {
    const sent: string[] = [];
    const codes: string[] = [];
    const outbox = new SealedOutbox({
      sealing: {
        seal: async (plaintext) => {
          if (plaintext[0] === 1) throw new SealingError("key_changed");
          return "sealed";
        },
      },
      transmit: (text) => sent.push(JSON.parse(text).client_message_id) > 0,
    });
    for (const number of [1, 2]) {
      outbox.post(messageOf(number), { acked: () => {}, refused: (code) => codes.push(code) });
    }
    await turn();
    expect(codes).toEqual(["key_changed"]);
    expect(sent).toEqual(["m2"]);
  });

  it("are dropped without a report if they must not be sent, after delaying the later ones", async () => {
    const heard: string[] = [];
    const outbox = new SealedOutbox({
      sealing: { seal: async (plaintext) => `${plaintext[0]}` },
      transmit: (text) => heard.push(JSON.parse(text).encrypted_payload) > 0,
    });
    const delivery = { acked: () => {}, refused: (code: string) => heard.push(code) };
    const second = Promise.withResolvers<boolean>();
    outbox.post(messageOf(1), delivery, Promise.resolve(false));
    outbox.post(messageOf(2), delivery, second.promise);
    outbox.post(messageOf(3), delivery);
    await turn();
    expect(heard).toEqual([]);
    second.resolve(true);
    await turn();
    expect(heard).toEqual(["2", "3"]);
  });

  it("are neither sealed nor reported as failed once the program ends", async () => {
    const heard: string[] = [];
    const first = Promise.withResolvers<void>();
    const outbox = new SealedOutbox({
      sealing: {
        seal: async (plaintext) => {
          heard.push(`sealing ${plaintext[0]}`);
          await first.promise;
          throw new SealingError("storage_failed");
        },
      },
      transmit: () => heard.push("sent") > 0,
    });
    const delivery = { acked: () => {}, refused: (code: string) => heard.push(code) };
    outbox.post(messageOf(1), delivery);
    await turn();
    outbox.close();
    outbox.post(messageOf(2), delivery);
    first.resolve();
    await turn();
    expect(heard).toEqual(["sealing 1"]);
  });
});
