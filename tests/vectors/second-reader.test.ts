import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  Cursor,
  dh,
  hex,
  hkdf,
  isSigned,
  label,
  openGcm,
  sha256,
  zeros,
} from "./testing/second-primitives.ts";
import {
  contextOf,
  openContent,
  openWrap,
  SecondRatchet,
  takeApart,
} from "./testing/second-reader.ts";

const folder = fileURLToPath(new URL("../../app/encryption/vectors/", import.meta.url));
const load = (name: string) => JSON.parse(readFileSync(`${folder}${name}.json`, "utf8"));

const { person, agent, safety_number: safetyNumber, with_level: withLevel } = load("identity");
const personPair = {
  privateKey: hex(person.agreement_private),
  publicKey: hex(person.agreement_public),
};
const agentSigning = hex(agent.signing_public);
const ad = Buffer.concat(
  [agent.agreement_public, person.agreement_public, agent.key_id, person.key_id].map(hex),
);

/** docs/encryption.md, "L5", on Bob's side. */
function agreeAsBob(prekeyPrivates: string, ephemeral: Buffer): Buffer {
  const [signed = "", oneTime = ""] = prekeyPrivates.split(" ");
  const dhs = [
    dh(hex(signed), hex(agent.agreement_public)),
    dh(personPair.privateKey, ephemeral),
    dh(hex(signed), ephemeral),
    dh(hex(oneTime), ephemeral),
  ];
  return hkdf(Buffer.concat([Buffer.alloc(32, 0xff), ...dhs]), zeros(32), "x3dh", 32);
}

/** docs/encryption.md, "Safety number", between the person and this owner. */
function numberWith(other: { readonly key_id: string }): string {
  const ids = [hex(person.key_id), hex(other.key_id)].toSorted(Buffer.compare);
  const bytes = hkdf(Buffer.concat(ids), zeros(0), "fingerprint", 60);
  const groups = Array.from({ length: 12 }, (_, at) => bytes.readUIntBE(5 * at, 5) % 100_000);
  return groups.map((group) => String(group).padStart(5, "0")).join(" ");
}

describe("a reader written from the document alone", () => {
  it("reads cards, key ids and the safety number", () => {
    for (const each of [person, agent, ...withLevel]) {
      const card = hex(each.card);
      const [fields, signature] = [card.subarray(0, -64), card.subarray(-64)];
      expect(sha256(label("identity"), fields).toString("hex")).toBe(each.key_id);
      expect(isSigned(hex(each.signing_public), "identity card", fields, signature)).toBe(true);
    }
    expect(numberWith(agent)).toBe(safetyNumber);
  });

  it("reads an agent's level out of what it signed, and another number for it", () => {
    const suites = { sealed: 1, ratchet: 2 };
    for (const each of withLevel) {
      const fields = hex(each.card).subarray(0, -64);
      const level = Buffer.of(suites[each.level as keyof typeof suites]);
      const length = Buffer.of(0, each.owner_id.length);
      const owner = Buffer.concat([length, Buffer.from(each.owner_id)]);
      const keys = [hex(each.signing_public), hex(each.agreement_public)];
      expect(fields).toEqual(Buffer.concat([Buffer.of(2), owner, ...keys, level]));
      expect(numberWith(each)).toBe(each.safety_number);
    }
    expect(withLevel.map(({ level }: { level: string }) => level)).toEqual(["ratchet", "sealed"]);
  });

  it("opens sealed envelopes", () => {
    const { first, second, content } = load("envelope-sealed");
    for (const each of [first, second]) {
      const parts = takeApart(hex(each.envelope), agentSigning);
      expect(parts).toMatchObject({
        conversation: "conversation-1",
        sender: "agent-1",
        sequence: each.sequence,
        ledgerLength: each.ledger_length ?? 0,
        isSigned: true,
      });
      expect(openContent(parts, openWrap(parts, personPair))).toBe(content);
    }
  });

  it("agrees by X3DH", () => {
    const { prekey_privates: privates, ephemeral_public, secret, associated } = load("x3dh");
    expect(agreeAsBob(privates, hex(ephemeral_public)).toString("hex")).toBe(secret);
    expect(ad.toString("hex")).toBe(associated);
  });

  it("follows a ratcheted conversation, one message of which was lost", () => {
    const { messages, prekey_privates: privates } = load("envelope-ratchet");
    const [first] = messages;
    const { block } = takeApart(hex(first.envelope), agentSigning);
    const secret = agreeAsBob(privates, block.subarray(0, 32));
    const ratchet = new SecondRatchet(secret, hex(privates.split(" ")[0]), ad);
    const opened: string[] = [];
    for (const { from, content, drawn_to_seal: drawn, envelope } of messages) {
      if (/lost/.test(content)) continue;
      if (from === "agent-1") {
        const parts = takeApart(hex(envelope), agentSigning);
        opened.push(openContent(parts, ratchet.open(parts.block, contextOf(parts))));
      } else {
        // The content's key, and the next ratchet pair's private half if this message took a step.
        const [, nextPrivate] = drawn.split(" ");
        if (nextPrivate !== undefined) ratchet.step(hex(nextPrivate));
      }
    }
    expect(opened.map((text) => text.split(",")[0])).toEqual([
      "one",
      "three",
      "five",
      "seven",
      "nine",
    ]);
  });

  it("follows a ledger", () => {
    const { entries } = load("ledger");
    const parties = Buffer.from("\0\u0008person-1\0\u0007agent-1");
    let previous = sha256(label("ledger start"), parties).toString("hex");
    for (const [index, { entry, hash, kind, scopes }] of entries.entries()) {
      const cursor = new Cursor(hex(entry));
      expect(cursor.number(1)).toBe(1);
      expect(cursor.number(1)).toBe(kind === "grant" ? 1 : 2);
      expect([cursor.text(), cursor.text()]).toEqual(["person-1", "agent-1"]);
      expect(cursor.u64()).toBe(index);
      expect(cursor.take(32).toString("hex")).toBe(previous);
      cursor.take(8 + 32);
      const listed = Array.from({ length: cursor.number(2) }, () => cursor.text());
      expect(listed).toEqual(scopes.split(" ").toSorted());
      const signing = hex(person.signing_public);
      expect(isSigned(signing, "ledger signature", cursor.before(), cursor.rest())).toBe(true);
      expect(sha256(label("ledger entry"), hex(entry)).toString("hex")).toBe(hash);
      previous = hash;
    }
  });

  it("reads a stream, part by part", () => {
    const { parts, stream_key: secret, ...place } = load("stream");
    const keys = hkdf(hex(secret), zeros(0), "stream", 44);
    const texts = [place.conversation_id, place.sender_id, place.stream_id].map((text: string) =>
      Buffer.concat([Buffer.of(0, text.length), Buffer.from(text)]),
    );
    const read = parts.map((each: { part: string; kind: string }, index: number) => {
      const part = hex(each.part);
      const head = part.subarray(0, 10);
      expect([...head]).toEqual([2, each.kind === "done" ? 2 : 1, 0, 0, 0, 0, 0, 0, 0, index]);
      const own = Buffer.from(keys);
      own.writeUInt8(own.readUInt8(43) ^ index, 43);
      const associated = Buffer.concat([label("stream part"), ...texts, head]);
      return openGcm(own, part.subarray(10), associated).toString();
    });
    expect(read).toEqual(parts.map(({ text }: { text: string }) => text));
  });

  it("opens the identity's file with the host's key", () => {
    const { host_key: key, identity_file: file } = load("key-file");
    const body = hex(file).subarray(0, -32);
    expect(sha256(body)).toEqual(hex(file).subarray(-32));
    const start = label("key file").length + 3;
    const [head, nonce] = [body.subarray(0, start + 12), body.subarray(start, start + 12)];
    const secret = openGcm(Buffer.concat([hex(key), nonce]), body.subarray(start + 12), head);
    const cursor = new Cursor(secret);
    expect(cursor.text()).toBe("person-1");
    expect(cursor.take(32).toString("hex")).toBe(person.signing_private);
    expect(cursor.take(32).toString("hex")).toBe(person.agreement_private);
  });
});
