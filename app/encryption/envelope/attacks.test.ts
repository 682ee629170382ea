import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import type { EncryptionErrorCode } from "../encryption-error.ts";
import { SUITES, type Suite } from "../identity/identity.ts";
import { encodeSessions } from "../sessions/sessions.ts";
import { type End, makeEnd, makePair, receive, send } from "../testing/conversation.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import type { OpenRequest, SealRequest } from "./envelope.ts";
import { encodeEnvelope, readEnvelope } from "./envelope-format.ts";
import { signEnvelope } from "./envelope-layers.ts";

const suites = Object.keys(SUITES) as Suite[];

const flipBit = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

/** Everything an end stores, to compare before and after. */
const kept = async (end: End) => ({
  ...structuredClone(end),
  stored: await encodeSessions(crypto, end.sessions),
});

describe.each(suites)("a %s envelope under attack", (suite) => {
  /** An envelope, and the proof that an end refuses one with a code and stays as it was. */
  async function sent(changes: Partial<SealRequest> = {}) {
    const { person, agent } = await makePair(crypto);
    const bytes = await send(crypto, suite, agent, person, "x", changes);
    const refused = async (
      code: EncryptionErrorCode,
      forged: Uint8Array = bytes,
      otherwise: Partial<OpenRequest> = {},
    ) => {
      const before = await kept(person);
      await expectRefusal(code, () => receive(crypto, suite, agent, person, forged, otherwise));
      expect(await kept(person)).toEqual(before);
    };
    return { person, agent, bytes, refused };
  }

  it("is refused with any one bit flipped, changes nothing, and opens unharmed after", async () => {
    const { person, agent, bytes } = await sent({ callId: "call-1" });
    const before = await kept(person);
    const accepted: number[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = flipBit(bytes, bit);
      const code = await refusalOf(() => receive(crypto, suite, agent, person, changed));
      if (code === null) accepted.push(bit);
    }
    expect(accepted).toEqual([]);
    expect(await kept(person)).toEqual(before);
    expect(await refusalOf(() => receive(crypto, suite, agent, person, bytes))).toBeNull();
  });

  it("is refused cut at any length, or longer than it is", async () => {
    const { bytes, refused } = await sent();
    for (let length = 0; length < bytes.length; length += 1) {
      await refused("malformed", bytes.slice(0, length));
    }
    await refused("malformed", new Uint8Array([...bytes, 0]));
  });

  it("is refused a second time", async () => {
    const { person, agent, bytes, refused } = await sent();
    await receive(crypto, suite, agent, person, bytes);
    await refused("replayed");
  });

  it("is refused after one that was sent later", async () => {
    const { person, agent, refused } = await sent();
    const second = await send(crypto, suite, agent, person, "second");
    await receive(crypto, suite, agent, person, second);
    await refused("reordered");
  });

  it("is refused in another conversation, also when its name there was changed to fit", async () => {
    const { bytes, refused } = await sent();
    const conversationId = "conversation-2";
    await refused("wrong_conversation", bytes, { conversationId });
    const renamed = Buffer.from(bytes);
    renamed.write("2", renamed.indexOf("conversation-1") + 13);
    await refused("bad_signature", new Uint8Array(renamed), { conversationId });
  });

  it("is refused by another recipient, also with the recipient's name and key id put in", async () => {
    const { person, agent, bytes } = await sent();
    const other = await makeEnd(crypto, "person-2");
    await expectRefusal("wrong_recipient", () => receive(crypto, suite, agent, other, bytes));
    const at = Buffer.from(bytes).indexOf(person.identity.card.keyId);
    const redirected = Buffer.from(bytes);
    redirected.write("person-2", at - "person-2".length);
    redirected.set(other.identity.card.keyId, at);
    await expectRefusal("bad_signature", () =>
      receive(crypto, suite, agent, other, new Uint8Array(redirected)),
    );
  });

  it("is refused as something of another kind", async () => {
    const { bytes, refused } = await sent({ kind: "text" });
    for (const kind of ["artifact", "artifact/artifact_tool_call", ""]) {
      await refused("wrong_kind", bytes, { kind });
    }
  });

  it("is refused in a lower version, or none", async () => {
    const { bytes, refused } = await sent();
    const versioned = (version: number) => new Uint8Array([version, ...bytes.subarray(1)]);
    await refused("downgraded", versioned(0));
    await refused("unsupported_version", versioned(2));
    await refused("unsupported_version", versioned(255));
  });

  it("is refused in another suite than the relation's", async () => {
    const { refused } = await sent({ suite: suite === "sealed" ? "ratchet" : "sealed" });
    await refused("downgraded");
  });

  it("is refused without its signature, with zeros for one, or with another envelope's", async () => {
    const { person, agent, bytes, refused } = await sent();
    const other = readEnvelope(await send(crypto, suite, agent, person, "two"));
    const { signed } = readEnvelope(bytes);
    await refused("malformed", signed);
    for (const signature of [new Uint8Array(64), other.signature]) {
      await refused("bad_signature", encodeEnvelope(signed, signature));
    }
  });

  it("is refused signed by somebody else, or sent under somebody else's name", async () => {
    const { person, agent, bytes, refused } = await sent();
    const mallory = await makeEnd(crypto, "agent-1");
    const { signed } = readEnvelope(bytes);
    const signature = await signEnvelope(crypto, mallory.identity, signed);
    await refused("bad_signature", encodeEnvelope(signed, signature));
    const own = await send(crypto, "sealed", mallory, person, "x");
    await expectRefusal("wrong_sender", () => receive(crypto, "sealed", agent, person, own));
  });

  it("is refused reflected to who sent it", async () => {
    const { person, agent, bytes } = await sent();
    await expectRefusal("wrong_sender", () => receive(crypto, suite, person, agent, bytes));
  });

  it("is refused by who holds other private keys under the same names", async () => {
    const { person, bytes, refused } = await sent();
    const swapped = { ...person.identity, agreement: await crypto.x25519Pair() };
    await refused("unopenable", bytes, { own: swapped });
  });

  it("is bound below its signature too: changed and signed again with the stolen key, it is refused", async () => {
    const { person, agent, bytes } = await sent({ callId: "call-1" });
    const { signed } = readEnvelope(bytes);
    const before = await kept(person);
    const accepted: number[] = [];
    for (let bit = 0; bit < signed.length * 8; bit += 3) {
      const changed = flipBit(signed, bit);
      const signature = await signEnvelope(crypto, agent.identity, changed);
      const forged = encodeEnvelope(changed, signature);
      const code = await refusalOf(() => receive(crypto, suite, agent, person, forged));
      if (code === null) accepted.push(bit);
    }
    expect(accepted).toEqual([]);
    expect(await kept(person)).toEqual(before);
  });

  it("keeps another recipient's block from being exchanged unseen", async () => {
    const { person, agent } = await makePair(crypto);
    const other = await makeEnd(crypto, "person-2");
    const recipients = [person, other].map(({ identity: { card } }) => ({ card, sessions: [] }));
    const bytes = await send(crypto, "sealed", agent, person, "x", { recipients });
    const parts = readEnvelope(bytes);
    const place = parts.header.recipients.findIndex(({ id }) => id === "person-2");
    const block = parts.blocks[place] ?? new Uint8Array(0);
    const at = Buffer.from(parts.signed).indexOf(block);
    const changed = flipBit(parts.signed, at * 8);
    const signature = await signEnvelope(crypto, agent.identity, changed);
    await expectRefusal("unopenable", () =>
      receive(crypto, "sealed", agent, person, encodeEnvelope(changed, signature)),
    );
  });
});
