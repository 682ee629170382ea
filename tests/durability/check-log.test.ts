import { describe, expect, it } from "vitest";
import { type AuditRecord, type ChainedRecord, isAboutCall } from "../../app/audit/audit-record.ts";
import { chainRecord, GENESIS_HASH } from "../../app/audit/hash-chain.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { checkStretch, keptOf } from "./check-log.ts";
import { intentOf, madeCall, outcomeOf } from "./made-calls.ts";
import type { Acknowledged } from "./writer-lines.ts";

const NOW = Date.UTC(2026, 0, 1);
const BEFORE = { seq: 0, hash: GENESIS_HASH };

function chainOf(records: readonly AuditRecord[]): ChainedRecord[] {
  const chain: ChainedRecord[] = [];
  let head = BEFORE;
  for (const record of records) {
    const entry = chainRecord(head.seq + 1, head.hash, record);
    chain.push(entry);
    head = entry;
  }
  return chain;
}

const first = madeCall("call-1", 1);
const second = madeCall("call-2", 2);
const records = [
  intentOf(first, NOW),
  intentOf(second, NOW),
  outcomeOf(second, NOW),
  outcomeOf(first, NOW),
];
const whole = chainOf(records);
const promises = whole.flatMap(({ seq, hash, record }): Acknowledged[] =>
  isAboutCall(record)
    ? [{ seq, hash, kind: record.kind, call_id: record.call_id, timestamp: record.timestamp }]
    : [],
);

describe("checkStretch", () => {
  it("finds every promise kept in a log that is whole", () => {
    expect(checkStretch(whole, BEFORE, promises)).toMatchObject({
      head: { seq: 4 },
      records: 4,
      interrupted: [],
    });
  });

  it.each([
    ["a promised record that is not there", whole.slice(0, 3), /1 lost, first outcome call-1/],
    ["a record in another place", chainOf([...records].reverse()), /not at 1 any more/],
    ["a gap", whole.toSpliced(1, 1), /3 follows 1/],
    ["a record that was changed", whole.with(1, { ...forged(whole, 1) }), /2 changed/],
    ["a record twice", chainOf([...records, ...records.slice(3)]), /there twice/],
    ["a chain that begins elsewhere", whole.slice(1), /2 follows 0/],
  ])("notices %s", (_what, chain, fault) => {
    expect(() => checkStretch(chain, BEFORE, promises)).toThrow(fault);
  });

  it("notices a call that was begun and never ended", () => {
    expect(() => checkStretch(chainOf([intentOf(first, NOW)]), BEFORE, [])).toThrow(
      /call-1 was never finished/,
    );
  });
});

function forged(chain: readonly ChainedRecord[], at: number): ChainedRecord {
  const entry = chain[at];
  if (entry === undefined) throw new Error("no such record");
  return { ...entry, record: { ...entry.record, timestamp: NOW + 1 } };
}

describe("keptOf", () => {
  it("lets a purge take what expired, and nothing younger", () => {
    const later = NOW + LIMITS.auditRetentionMs + 1;
    expect(keptOf(promises, 3, later).map(({ seq }) => seq)).toEqual([3, 4]);
    expect(() => keptOf(promises, 3, later - 1)).toThrow(/purged early: call-1 \(1\)/);
  });
});
