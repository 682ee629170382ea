import { describe, expect, it } from "vitest";
import { nodePrimitives as node } from "../../crypto/node-primitives.ts";
import type { CryptoPrimitives } from "./crypto-primitives.ts";
import { SUITES, type Suite } from "./envelope/suites.ts";
import { encodeCard, readCard } from "./identity/identity-card.ts";
import { openAtRest, sealAtRest } from "./keyfile/sealed-at-rest.ts";
import { appendEntry } from "./ledger/append-entry.ts";
import { NO_LEDGER } from "./ledger/ledger-head.ts";
import { verifyLedger } from "./ledger/verify-ledger.ts";
import { decodeSessions, encodeSessions } from "./sessions/sessions-form.ts";
import { bundleOf, makePair, NOW, receive, send, text } from "./testing/conversation.ts";
import { expectRefusal } from "./testing/expect-refusal.ts";
import { readBundle } from "./x3dh/prekey-bundle.ts";

/** Like WebCrypto: every answer is a promise, and one that nobody awaits would count as true. */
const later: CryptoPrimitives = {
  randomBytes: node.randomBytes,
  sha256: async (...given) => node.sha256(...given),
  hmacSha256: async (...given) => node.hmacSha256(...given),
  hkdfSha256: async (...given) => node.hkdfSha256(...given),
  x25519Pair: async () => node.x25519Pair(),
  x25519PublicKey: async (...given) => node.x25519PublicKey(...given),
  x25519: async (...given) => node.x25519(...given),
  ed25519PublicKey: async (...given) => node.ed25519PublicKey(...given),
  ed25519Sign: async (...given) => node.ed25519Sign(...given),
  ed25519Verify: async (...given) => node.ed25519Verify(...given),
  aesGcmEncrypt: async (...given) => node.aesGcmEncrypt(...given),
  aesGcmDecrypt: async (...given) => node.aesGcmDecrypt(...given),
};
const suites = Object.keys(SUITES) as Suite[];
const spoilt = (bytes: Uint8Array): Uint8Array => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1);

describe("primitives that answer later", () => {
  it.each(suites)("open %s envelopes and refuse spoilt ones all the same", async (suite) => {
    const { person, agent } = await makePair(later);
    const bytes = await send(later, suite, agent, person, "x");
    await expectRefusal("bad_signature", () => receive(later, suite, agent, person, spoilt(bytes)));
    expect((await receive(later, suite, agent, person, bytes)).content).toEqual(text("x"));
    const stored = await encodeSessions(later, person.sessions);
    expect(await decodeSessions(later, stored)).toEqual(person.sessions);
    await expectRefusal("corrupt_state", () => decodeSessions(later, spoilt(stored)));
  });

  it("refuse spoilt cards, bundles, ledgers and files all the same", async () => {
    const { person } = await makePair(later);
    const { card } = person.identity;
    const expected = { card, now: NOW };
    await expectRefusal("bad_identity", () => readCard(later, spoilt(encodeCard(card))));
    await expectRefusal("bad_prekey", () => readBundle(later, spoilt(bundleOf(person)), expected));
    const manifestHash = later.randomBytes(32);
    const grant = { kind: "grant", agentId: "a", scopes: ["s"], manifestHash, at: NOW } as const;
    const { bytes } = await appendEntry(later, person.identity, NO_LEDGER, grant);
    const parties = { person: card, agentId: "a", seen: NO_LEDGER };
    expect((await verifyLedger(later, [bytes], parties)).granted.has("s")).toBe(true);
    await expectRefusal("bad_signature", () => verifyLedger(later, [spoilt(bytes)], parties));
    const protection = { kind: "host_key", key: later.randomBytes(32) } as const;
    const file = await sealAtRest(later, "identity", protection, text("x"));
    expect(await openAtRest(later, "identity", protection, file)).toEqual(text("x"));
    await expectRefusal("corrupt_state", () =>
      openAtRest(later, "identity", protection, spoilt(file)),
    );
  });
});
