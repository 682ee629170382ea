import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { toBase64 } from "../../contract/base64.ts";
import { CONVERSATION_ID, correspondents } from "../testing/correspondents.ts";
import { expectRefused } from "../testing/mail.ts";
import { openPart, sealPart, streamKey } from "./streams.ts";

const STREAM = "stream-1";

async function streaming(streamId = STREAM) {
  const { person, agent } = await correspondents(crypto);
  const sender = { conversation_id: CONVERSATION_ID, sender_id: agent.id };
  const sealed = await agent.mail.sealStream(STREAM, {
    conversation_id: CONVERSATION_ID,
    recipient_ids: [person.id],
  });
  const opened = await person.mail.openStream(sealed.start, streamId, sender);
  return { person, agent, sender, sealed, opened };
}
describe("a stream", () => {
  it("is read part by part, and its end is told from its being cut", async () => {
    const { sealed, opened } = await streaming();
    for (const text of ["Good ", "", "mörning"]) {
      expect(await opened.delta(await sealed.delta(text))).toBe(text);
    }
    await expect(opened.done(await sealed.done())).resolves.toBeUndefined();
  });

  it("is over when a part comes twice", async () => {
    const { sealed, opened } = await streaming();
    const first = await sealed.delta("1");
    await opened.delta(first);
    await expectRefused(opened.delta(first), "replayed");
    await expectRefused(opened.delta(await sealed.delta("2")), "reordered");
  });

  it("is over when a part is missing, or comes in another's place", async () => {
    const { sealed, opened } = await streaming();
    const [, second] = [await sealed.delta("1"), await sealed.delta("2")];
    await expectRefused(opened.delta(second), "reordered");
  });

  it("is not ended by leaving out what came before its end", async () => {
    const { sealed, opened } = await streaming();
    await sealed.delta("1");
    await expectRefused(opened.done(await sealed.done()), "reordered");
  });

  it("is not ended by a part of it, nor begun again by its end", async () => {
    const { sealed, opened } = await streaming();
    const delta = await sealed.delta("1");
    await expectRefused(opened.done(delta), "reordered");
    const another = await streaming();
    const done = await another.sealed.done();
    await expectRefused(another.opened.delta(done), "reordered");
  });

  it("takes no part of another stream, nor under another stream's name", async () => {
    const { opened } = await streaming();
    const foreign = await (await streaming()).sealed.delta("1");
    await expectRefused(opened.delta(foreign), "unopenable");
    const renamed = await streaming("stream-2");
    const part = await renamed.sealed.delta("1");
    await expectRefused(renamed.opened.delta(part), "unopenable");
  });

  it("takes no part in the clear", async () => {
    const { opened } = await streaming();
    const plain = toBase64(Uint8Array.of(0, 0x7b, 0x7d));
    await expectRefused(opened.delta(plain), "downgraded");
  });

  it("overtakes messages without disturbing them, and is begun once", async () => {
    const { person, agent, sender } = await streaming();
    const context = { conversation_id: CONVERSATION_ID, recipient_ids: [person.id] };
    const text = { ...context, kind: "text", call_id: null };
    const message = await agent.mail.seal(Uint8Array.of(1), text);
    const { start } = await agent.mail.sealStream("stream-2", context);
    await person.mail.openStream(start, "stream-2", sender);
    const opened = await person.mail.open(message, { ...sender, kind: "text" });
    expect(opened.plaintext).toEqual(Uint8Array.of(1));
    const again = person.mail.openStream(start, "stream-2", sender);
    await expectRefused(again, "replayed");
  });

  it("is begun by no message, and its beginning is no message", async () => {
    const { person, agent, sender } = await streaming();
    const context = { conversation_id: CONVERSATION_ID, recipient_ids: [person.id] };
    const text = { ...context, kind: "text", call_id: null };
    const message = await agent.mail.seal(crypto.randomBytes(32), text);
    const asStream = person.mail.openStream(message, "stream-2", sender);
    await expectRefused(asStream, "replayed");
    const { start } = await agent.mail.sealStream("stream-2", context);
    const asMessage = person.mail.open(start, { ...sender, kind: "text" });
    await expectRefused(asMessage, "wrong_kind");
  });
});

describe("a stream's part", () => {
  it("does not open with any bit flipped, or cut anywhere", () => {
    const place = { conversationId: "c", senderId: "a", streamId: "s" };
    const key = streamKey(crypto, crypto.randomBytes(32), place);
    const part = sealPart(crypto, key, "delta", 3, Uint8Array.of(1, 2));
    const open = (bytes: Uint8Array) => openPart(crypto, key, "delta", 3, bytes);
    expect(open(part)).toEqual(Uint8Array.of(1, 2));
    for (let bit = 0; bit < part.length * 8; bit += 1) {
      const at = bit >> 3;
      const flipped = part.with(at, (part[at] ?? 0) ^ (1 << (bit & 7)));
      expect(() => open(flipped)).toThrow(expect.objectContaining({ name: "EncryptionError" }));
    }
    for (let end = 0; end < part.length; end += 1) {
      expect(() => open(part.slice(0, end))).toThrow(
        expect.objectContaining({ name: "EncryptionError" }),
      );
    }
  });
});
