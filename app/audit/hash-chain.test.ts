import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../contract/digest.ts";
import type { AuditRecord, CheckpointRecord } from "./audit-record.ts";
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

  it("writes whatever a tampered row may hold as RFC 8785 does", () => {
    const member = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member), fc.integer(), (members, seq) => {
        const seen: string[] = [];
        // Columns are read unchecked, so a record may be any flat object.
        recordHash(seq, GENESIS_HASH, members as unknown as AuditRecord, (text) => {
          seen.push(text);
          return "";
        });
        expect(seen).toEqual([canonicalJson({ seq, prev_hash: GENESIS_HASH, record: members })]);
      }),
    );
  });

  it.each([
    [{}, { "": null }],
    [{ a: 1, b: 2 }, { "a,b": 1 }],
  ])("never takes the members of %j for those of %j", (first, second) => {
    const texts = [first, second].map((members) => {
      let seen = "";
      recordHash(0, GENESIS_HASH, members as unknown as AuditRecord, (text) => {
        seen = text;
        return "";
      });
      return seen;
    });
    expect(texts).toEqual(
      [first, second].map((members) =>
        canonicalJson({ seq: 0, prev_hash: GENESIS_HASH, record: members }),
      ),
    );
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

  it("is what chainRecord stores with the record", () => {
    expect(chainRecord(1, GENESIS_HASH, record)).toEqual({
      seq: 1,
      prev_hash: GENESIS_HASH,
      hash: recordHash(1, GENESIS_HASH, record),
      record,
    });
  });
});
