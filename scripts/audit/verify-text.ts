import type { AcknowledgementRecord } from "../../app/audit/audit-record.ts";
import { lossIn } from "../../app/audit/rollback.ts";
import type { ChainVerdict } from "../../app/audit/verify-chain.ts";
import type { ChainFault } from "../../app/contract/chain-faults.ts";
import type { VerifyReport } from "../../main/audit-log/index.ts";

const FAULTS: Readonly<Record<ChainFault, string>> = {
  changed: "was changed",
  missing: "is missing",
  inserted: "was put in",
  reordered: "stands in another place",
  rolled_back: "was there once and is gone: an older copy of the log was put back",
  unanchored: "is the first there is, and nothing vouches for what came before it",
};

/** For people. */
export function verifyText(report: VerifyReport): string {
  const { verdict, head } = report;
  const lines = [
    verdict.ok
      ? "The log holds."
      : `The log does not hold: record ${verdict.seq} ${FAULTS[verdict.fault]}.`,
    `${verdict.verified} records verified.`,
    ...beginningOf(report),
    ...acknowledgedIn(verdict).map(acknowledgedText),
    ...(head === null ? [] : [`Last record that fits: ${head.seq}, hash ${head.hash}`]),
  ];
  return lines.join("\n");
}

const acknowledgedIn = (verdict: ChainVerdict): readonly AcknowledgementRecord[] =>
  verdict.ok ? (verdict.acknowledged ?? []) : [];

const acknowledgedText = (record: AcknowledgementRecord): string =>
  `An older copy of the log was put back: what stood from ${lossIn(record)} on is gone. ` +
  `Acknowledged ${new Date(record.timestamp).toISOString()}.`;

function beginningOf({ beginning, firstSeq }: VerifyReport): readonly string[] {
  if (beginning === "checkpoint") {
    return [`A checkpoint covers the records purged before ${firstSeq}.`];
  }
  if (beginning === "piece") {
    return [`This is a piece of a log: it says nothing about what came before ${firstSeq}.`];
  }
  return [];
}

/** One line for programs. */
export function verifyJson({ verdict, firstSeq, head, beginning }: VerifyReport): string {
  return JSON.stringify({
    ok: verdict.ok,
    verified: verdict.verified,
    seq: verdict.ok ? null : verdict.seq,
    fault: verdict.ok ? null : verdict.fault,
    first_seq: firstSeq,
    beginning,
    head_seq: head?.seq ?? null,
    head_hash: head?.hash ?? null,
    acknowledged: acknowledgedIn(verdict).map((record) => ({
      first_lost: lossIn(record),
      noticed_at: new Date(record.noticed_at).toISOString(),
      acknowledged_at: new Date(record.timestamp).toISOString(),
    })),
  });
}
