import { describe, expect, it } from "vitest";
import { seededPrimitives } from "../../../tests/vectors/seeded-primitives.ts";
import { SUITES, type Suite } from "../identity/identity.ts";
import { encodeSessions } from "../sessions/sessions.ts";
import { makePair, openRequest, receive, send } from "../testing/conversation.ts";
import { refusalOf } from "../testing/expect-refusal.ts";
import { type Draw, mutate, seededDraw } from "../testing/mutate-bytes.ts";
import { openEnvelope } from "./envelope.ts";
import { encodeEnvelope } from "./envelope-format.ts";
import { signEnvelope } from "./envelope-layers.ts";

/** Total number of mutated envelopes; `CONSENTRY_MUTATIONS` overrides it. */
const TOTAL = Number(process.env.CONSENTRY_MUTATIONS ?? 20_000);
const ROUND = 1_000;
/**
 * One in this many is signed again with the sender's key, so that it passes the signature check.
 */
const RESIGNED_EVERY = 10;

const suites = Object.keys(SUITES) as Suite[];
const same = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b);

/**
 * Two envelopes of one sender, with or without a prelude in the first, and with or without a call.
 */
async function makeRound(suite: Suite, seed: number) {
  const crypto = seededPrimitives(`${suite} ${seed}`);
  const { person, agent } = await makePair(crypto);
  if (seed % 2 === 1) {
    await receive(crypto, suite, agent, person, await send(crypto, suite, agent, person, "0"));
    await receive(crypto, suite, person, agent, await send(crypto, suite, person, agent, "1"));
  }
  const callId = seed % 3 === 0 ? null : `call-${seed}`;
  const bytes = await send(crypto, suite, agent, person, "x".repeat(seed % 50), { callId });
  const other = await send(crypto, suite, agent, person, "other", { callId });
  return { crypto, agent, person, bytes, other };
}
type Round = Awaited<ReturnType<typeof makeRound>>;

async function forge({ crypto, agent, bytes, other }: Round, draw: Draw): Promise<Uint8Array> {
  if (draw(RESIGNED_EVERY) !== 0) return mutate(bytes, other, draw);
  const signed = mutate(bytes.subarray(0, -64), other.subarray(0, -64), draw);
  return encodeEnvelope(signed, await signEnvelope(crypto, agent.identity, signed));
}

describe("mutated envelopes", () => {
  it.each(suites)(
    "are never opened: %s",
    async (suite) => {
      const share = Math.ceil(TOTAL / suites.length);
      let tried = 0;
      for (let seed = 1; tried < share; seed += 1) {
        const round = await makeRound(suite, seed);
        tried += await tryRound(suite, round, seed, Math.min(ROUND, share - tried));
      }
      expect(tried).toBe(share);
    },
    60_000 + TOTAL * 20,
  );
});

async function tryRound(suite: Suite, round: Round, seed: number, count: number): Promise<number> {
  const { crypto, agent, person, bytes, other } = round;
  const draw = seededDraw(seed);
  const request = openRequest(suite, agent, person);
  const before = await encodeSessions(crypto, person.sessions);
  const accepted: string[] = [];
  for (let tried = 0; tried < count; ) {
    const forged = await forge(round, draw);
    if (same(forged, bytes) || same(forged, other)) continue;
    tried += 1;
    const code = await refusalOf(() => openEnvelope(crypto, request, forged));
    if (code === null) accepted.push(Buffer.from(forged).toString("hex"));
  }
  expect(accepted).toEqual([]);
  expect(await encodeSessions(crypto, person.sessions)).toEqual(before);
  expect(await refusalOf(() => openEnvelope(crypto, request, bytes))).toBeNull();
  return count;
}

describe("the mutations", () => {
  it("reach every layer: each kind of refusal is met", async () => {
    const met = new Set<string | null>();
    const round = await makeRound("ratchet", 2);
    const request = openRequest("ratchet", round.agent, round.person);
    const draw = seededDraw(7);
    for (let tried = 0; tried < 1_000; tried += 1) {
      const forged = await forge(round, draw);
      met.add(await refusalOf(() => openEnvelope(round.crypto, request, forged)));
    }
    for (const code of ["malformed", "bad_signature", "unopenable", "unsupported_version"]) {
      expect(met).toContain(code);
    }
  });
});
