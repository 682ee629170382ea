import { describe, expect, it } from "vitest";
import type { CheckpointRecord } from "./audit-record.ts";
import { chainRecord, GENESIS_HASH, recordHash } from "./hash-chain.ts";

const record: CheckpointRecord = {
  kind: "checkpoint",
  timestamp: 1,
  purged_through_seq: 2,
  purged_through_hash: "a".repeat(64),
  purged_count: 3,
};

describe("recordHash", () => {
  it("is taken of the RFC 8785 form of number, predecessor and record", () => {
    const seen: string[] = [];
    recordHash(7, GENESIS_HASH, record, (text) => {
      seen.push(text);
      return "";
    });
    expect(seen).toEqual([
      `{"prev_hash":"${GENESIS_HASH}","record":{"kind":"checkpoint","purged_count":3,` +
        `"purged_through_hash":"${"a".repeat(64)}","purged_through_seq":2,"timestamp":1},"seq":7}`,
    ]);
  });

  it("differs with the place, the predecessor and any member", () => {
    const hashes = [
      recordHash(1, GENESIS_HASH, record),
      recordHash(2, GENESIS_HASH, record),
      recordHash(1, "a".repeat(64), record),
      recordHash(1, GENESIS_HASH, { ...record, purged_count: 4 }),
    ];
    expect(new Set(hashes).size).toBe(4);
  });

  it("is what chainRecord puts beside the record", () => {
    expect(chainRecord(1, GENESIS_HASH, record)).toEqual({
      seq: 1,
      prev_hash: GENESIS_HASH,
      hash: recordHash(1, GENESIS_HASH, record),
      record,
    });
  });
});
