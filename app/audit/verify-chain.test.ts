import { describe, expect, it } from "vitest";
import type { AuditRecord, ChainedRecord } from "./audit-record.ts";
import { chainRecord, GENESIS_HASH } from "./hash-chain.ts";
import { sampleChain as chain, sampleOutcome as outcome } from "./testing/sample-chain.ts";
import { verifyChain } from "./testing/verify-chain.ts";

const headOf = (records: readonly ChainedRecord[]) => ({
  seq: records.at(-1)?.seq ?? 0,
  hash: records.at(-1)?.hash ?? GENESIS_HASH,
});

/** What it finds in a log with something missing, added or exchanged: see the tests of tampering. */
describe("verifyChain", () => {
  it("accepts an empty log and a whole one, with and without the remembered end", () => {
    expect(verifyChain([])).toEqual({ ok: true, verified: 0 });
    expect(verifyChain(chain(5))).toEqual({ ok: true, verified: 5 });
    expect(verifyChain(chain(5), headOf(chain(5)))).toEqual({ ok: true, verified: 5 });
  });

  it("names a record that replaced another, although its own hash is right", () => {
    const whole = chain(6);
    const foreign = whole.map((entry) =>
      entry.seq === 3 ? chainRecord(3, "f".repeat(64), outcome(99)) : entry,
    );
    expect(verifyChain(foreign)).toEqual({ ok: false, verified: 2, seq: 3, fault: "changed" });
  });

  it("names the first of the records cut off the end when the end is remembered", () => {
    const whole = chain(6);
    expect(verifyChain(whole.slice(0, 4), headOf(whole))).toEqual({
      ok: false,
      verified: 4,
      seq: 5,
      fault: "missing",
    });
    expect(verifyChain([], headOf(whole))).toMatchObject({ ok: false, seq: 1, fault: "missing" });
  });

  it("names the first record put after the remembered end", () => {
    const whole = chain(5);
    expect(verifyChain(whole, headOf(whole.slice(0, 3)))).toEqual({
      ok: false,
      verified: 3,
      seq: 4,
      fault: "inserted",
    });
  });

  it("names a last record that is not the remembered one", () => {
    const whole = chain(3);
    const last = chainRecord(3, whole[1]?.hash ?? "", outcome(99));
    expect(verifyChain([...whole.slice(0, 2), last], headOf(whole))).toEqual({
      ok: false,
      verified: 2,
      seq: 3,
      fault: "changed",
    });
  });

  it("names the place at which a copy of an earlier record was inserted", () => {
    const whole = chain(4);
    expect(verifyChain([...whole, ...whole.slice(1, 2)])).toMatchObject({
      ok: false,
      seq: 5,
      fault: "inserted",
    });
  });

  it("refuses a first record that claims a predecessor", () => {
    const orphan = chainRecord(1, "f".repeat(64), outcome(1));
    expect(verifyChain([orphan])).toEqual({ ok: false, verified: 0, seq: 1, fault: "changed" });
  });

  describe("after a purge", () => {
    const whole = chain(6);
    const through = whole[2];
    if (through === undefined) throw new Error("chain too short");
    const checkpoint = (hash: string): AuditRecord => ({
      kind: "checkpoint",
      timestamp: 9_000,
      purged_through_seq: 3,
      purged_through_hash: hash,
      purged_count: 3,
    });
    const rest = (record: AuditRecord) => [
      ...whole.slice(3),
      chainRecord(7, headOf(whole).hash, record),
    ];

    it("accepts a beginning that a later checkpoint confirms", () => {
      expect(verifyChain(rest(checkpoint(through.hash)))).toEqual({ ok: true, verified: 4 });
    });

    it("accepts a log that contains only the checkpoint", () => {
      const only = chainRecord(4, through.hash, checkpoint(through.hash));
      expect(verifyChain([only])).toEqual({ ok: true, verified: 1 });
    });

    it("names the first record when no checkpoint confirms the one before it", () => {
      const unanchored = { ok: false, verified: 0, seq: 4, fault: "unanchored" };
      expect(verifyChain(whole.slice(3))).toEqual(unanchored);
      expect(verifyChain(rest(checkpoint("f".repeat(64))))).toEqual(unanchored);
    });

    it("names the first record that is missing although the checkpoint says it was kept", () => {
      expect(verifyChain(rest(checkpoint(through.hash)).slice(1))).toEqual({
        ok: false,
        verified: 0,
        seq: 4,
        fault: "missing",
      });
    });
  });
});
