import { describe, expect, it } from "vitest";
import type { AuditRecord, ChainedRecord } from "./audit-record.ts";
import { chainRecord, GENESIS_HASH } from "./hash-chain.ts";
import { sampleChain as chain, sampleOutcome as outcome } from "./testing/sample-chain.ts";
import { verifyChain } from "./testing/verify-chain.ts";

const headOf = (records: readonly ChainedRecord[]) => ({
  seq: records.at(-1)?.seq ?? 0,
  hash: records.at(-1)?.hash ?? GENESIS_HASH,
});

/** Of no record here. */
const FOREIGN = "f".repeat(64);

/** What it finds in a log with something missing, added or exchanged: see the tests of tampering. */
describe("verifyChain", () => {
  it("accepts an empty log and a whole one, with and without the remembered end", () => {
    expect(verifyChain([])).toEqual({ ok: true, verified: 0 });
    expect(verifyChain(chain(5))).toEqual({ ok: true, verified: 5 });
    expect(verifyChain(chain(5), headOf(chain(5)))).toEqual({ ok: true, verified: 5 });
  });

  const all = chain(6);
  const end = headOf(all);
  const replaced = (seq: number, previous: string) =>
    all.with(seq - 1, chainRecord(seq, previous, outcome(99)));

  it.each([
    [
      "a record that replaced another, its own hash right",
      replaced(3, FOREIGN),
      undefined,
      3,
      "changed",
    ],
    ["a first record that claims a predecessor", replaced(1, FOREIGN), undefined, 1, "changed"],
    [
      "a last record that is not the remembered one",
      replaced(6, all[4]?.hash ?? ""),
      end,
      6,
      "changed",
    ],
    ["the first of those cut off the remembered end", all.slice(0, 4), end, 5, "missing"],
    ["the first of a log that is gone", [], end, 1, "missing"],
    ["the first put after the remembered end", all, headOf(all.slice(0, 3)), 4, "inserted"],
    ["the copy of an earlier one", [...all, ...all.slice(1, 2)], undefined, 7, "inserted"],
  ] as const)("names %s", (_, records, head, seq, fault) => {
    expect(verifyChain(records, head)).toEqual({ ok: false, verified: seq - 1, seq, fault });
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
      expect(verifyChain(rest(checkpoint(FOREIGN)))).toEqual(unanchored);
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
