import type { AcknowledgementRecord } from "./audit-record.ts";
import type { ChainHead } from "./verify-chain.ts";

/** The program found that the log lacked records it had had (decision 16). */
export interface Rollback {
  /** Milliseconds since the epoch, on the clock that counts the time that really passed. */
  readonly noticed_at: number;
  readonly expected: ChainHead;
  readonly found: ChainHead;
}

/** @param timestamp milliseconds since the epoch */
export const acknowledgementOf = (
  { noticed_at, expected, found }: Rollback,
  timestamp: number,
): AcknowledgementRecord => ({
  kind: "acknowledgement",
  timestamp,
  noticed_at,
  expected_seq: expected.seq,
  expected_hash: expected.hash,
  found_seq: found.seq,
  found_hash: found.hash,
});

/** Rollbacks that the person has not acknowledged, according to the log. */
export const unacknowledged = <R extends Rollback>(
  rollbacks: readonly R[],
  records: readonly AcknowledgementRecord[],
): readonly R[] => rollbacks.filter((rollback) => !records.some((each) => isAbout(each, rollback)));

const isAbout = (record: AcknowledgementRecord, { noticed_at, expected, found }: Rollback) =>
  record.noticed_at === noticed_at &&
  record.expected_seq === expected.seq &&
  record.expected_hash === expected.hash &&
  record.found_seq === found.seq &&
  record.found_hash === found.hash;

/** Number of the first record that a rollback removed. */
const firstLost = (expectedSeq: number, foundSeq: number): number =>
  Math.min(expectedSeq, foundSeq + 1);

export const lossIn = ({ expected_seq, found_seq }: AcknowledgementRecord): number =>
  firstLost(expected_seq, found_seq);

/** The same for several rollbacks; null if there are none. */
export const firstLostOf = (
  rollbacks: readonly Pick<Rollback, "expected" | "found">[],
): number | null =>
  rollbacks.length === 0
    ? null
    : Math.min(...rollbacks.map(({ expected, found }) => firstLost(expected.seq, found.seq)));
