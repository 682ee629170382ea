import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChainedRecord, OutcomeRecord } from "./audit-record.ts";
import { chainRecord } from "./hash-chain.ts";
import { sampleChain, sampleOutcome } from "./testing/sample-chain.ts";
import { verifyChain } from "./testing/verify-chain.ts";

type Entries = readonly ChainedRecord[];

/** As in a table: each record gets the number of its position. */
const renumbered = (entries: Entries): Entries =>
  entries.map((entry, index) => ({ ...entry, seq: index + 1 }));
/** A file leaves each line unchanged; a table numbers by position. */
const carriers = fc.constantFrom<(entries: Entries) => Entries>((entries) => entries, renumbered);

const LENGTH = 40;
const whole = sampleChain(LENGTH);
/** Neither the first record (its removal looks like a purge) nor the last (see the head). */
const place = fc.integer({ min: 2, max: LENGTH - 1 });
const entryAt = (seq: number): ChainedRecord => whole[seq - 1] ?? fail();
const fail = (): never => {
  throw new Error("no such record");
};
const head = { seq: LENGTH, hash: entryAt(LENGTH).hash };

const named = (fault: string, seq: number) => ({ ok: false, verified: seq - 1, seq, fault });

const CHANGES: readonly ((record: OutcomeRecord) => Partial<OutcomeRecord>)[] = [
  ({ call_id }) => ({ call_id: `${call_id}!` }),
  () => ({ agent_id: "agent-2" }),
  () => ({ status: "denied", reason: "user_refused" }),
  () => ({ arguments_digest: "b".repeat(64) }),
  ({ timestamp }) => ({ timestamp: timestamp + 1 }),
  ({ duration_ms }) => ({ duration_ms: -duration_ms }),
];

describe("verification names the first place whose record does not belong there", () => {
  it("when a member of a record was changed, hashed again or not", () => {
    fc.assert(
      fc.property(place, fc.constantFrom(...CHANGES), fc.boolean(), (seq, change, again) => {
        const old = entryAt(seq);
        const record = { ...sampleOutcome(seq), ...change(sampleOutcome(seq)) };
        const forged = again ? chainRecord(seq, old.prev_hash, record) : { ...old, record };
        const tampered = whole.map((entry) => (entry.seq === seq ? forged : entry));
        expect(verifyChain(tampered)).toEqual(named("changed", seq));
      }),
    );
  });

  it("when a record's hash, the hash before it or its number was changed", () => {
    const edits = fc.constantFrom<Partial<ChainedRecord>>(
      { hash: "c".repeat(64) },
      { prev_hash: "c".repeat(64) },
      { hash: "" },
      { seq: LENGTH * 9 },
    );
    fc.assert(
      fc.property(place, edits, (seq, edit) => {
        const tampered = whole.map((entry) => (entry.seq === seq ? { ...entry, ...edit } : entry));
        expect(verifyChain(tampered)).toEqual(named("changed", seq));
      }),
    );
  });

  it("when a stretch was removed, with the rest moved up or not", () => {
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 20 }), carriers, (seq, count, carry) => {
        const end = Math.min(seq - 1 + count, LENGTH - 1);
        const tampered = carry([...whole.slice(0, seq - 1), ...whole.slice(end)]);
        expect(verifyChain(tampered)).toEqual(named("missing", seq));
      }),
    );
  });

  it("when records were inserted, chained to the one before or crudely, the rest moved down or not", () => {
    fc.assert(
      fc.property(
        place,
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        carriers,
        (seq, count, chained, carry) => {
          const forged = forgedAfter(entryAt(seq - 1), count, chained);
          const tampered = carry([...whole.slice(0, seq - 1), ...forged, ...whole.slice(seq - 1)]);
          expect(verifyChain(tampered, head)).toEqual(named("inserted", seq));
        },
      ),
    );
  });

  it("when a copy of an earlier record was inserted", () => {
    fc.assert(
      fc.property(place, place, carriers, (one, other, carry) => {
        const [from, to] = one < other ? [one, other] : [other, one];
        const tampered = carry([...whole.slice(0, to), entryAt(from), ...whole.slice(to)]);
        expect(verifyChain(tampered)).toEqual(named("inserted", to + 1));
      }),
    );
  });

  it("when two records were swapped, with their numbers or without", () => {
    const two = fc.uniqueArray(fc.integer({ min: 1, max: LENGTH }), {
      minLength: 2,
      maxLength: 2,
    });
    fc.assert(
      fc.property(two, carriers, ([one = 0, other = 0], carry) => {
        const swapped = [...whole];
        swapped[one - 1] = entryAt(other);
        swapped[other - 1] = entryAt(one);
        const seq = Math.min(one, other);
        expect(verifyChain(carry(swapped), head)).toEqual(named("reordered", seq));
      }),
    );
  });

  it("when a stretch was moved elsewhere", () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: LENGTH }), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(cuts, carriers, (unsorted, carry) => {
        const [a = 0, b = 0, c = 0] = unsorted.toSorted((one, other) => one - other);
        const moved = [
          ...whole.slice(0, a),
          ...whole.slice(b, c),
          ...whole.slice(a, b),
          ...whole.slice(c),
        ];
        expect(verifyChain(carry(moved), head)).toEqual(named("reordered", a + 1));
      }),
    );
  });

  it("when distant records were swapped in a long table", () => {
    const long = sampleChain(1_000);
    const swapped = [...long];
    [swapped[2], swapped[800]] = [long[800] ?? fail(), long[2] ?? fail()];
    expect(verifyChain(renumbered(swapped))).toEqual(named("reordered", 3));
  });
});

describe("a head that was remembered earlier", () => {
  it("shows that a chain was forged from some place on, although it is consistent", () => {
    const forged = [...whole.slice(0, 20), ...forgedAfter(entryAt(20), 20, true)];
    expect(verifyChain(forged)).toMatchObject({ ok: true });
    expect(verifyChain(forged, head)).toEqual(named("changed", LENGTH));
  });
});

function forgedAfter(before: ChainedRecord, count: number, chained: boolean): Entries {
  const forged: ChainedRecord[] = [];
  for (let at = 1; at <= count; at += 1) {
    const previous = forged.at(-1) ?? before;
    const entry = chainRecord(previous.seq + 1, previous.hash, sampleOutcome(1_000 + at));
    forged.push(chained ? entry : { ...entry, hash: "d".repeat(64) });
  }
  return forged;
}
