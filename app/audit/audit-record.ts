import type { DeniedReason, ErrorCode, ErrorReason, Status } from "../contract/codes.ts";
import type { CarriedOut, Decision } from "../contract/tool-call.ts";

/**
 * What both kinds of record say about the call: the digest of its arguments, never the arguments.
 */
interface AboutCall extends Decision {
  readonly call_id: string;
  readonly agent_id: string;
  readonly tool_name: string;
  readonly scope: string;
  readonly arguments_digest: string;
  readonly conversation_id: string;
  /** How the call arrived: `hub`. */
  readonly transport: string;
  /** Milliseconds since the epoch on the trusted clock; never less than in the previous record. */
  readonly timestamp: number;
}

/** Durable before anything runs (contract §2.7). */
export interface IntentRecord extends AboutCall {
  readonly kind: "intent";
}

/** The outcome of a call; the only record of a refused one. */
export interface OutcomeRecord extends AboutCall {
  readonly kind: "outcome";
  readonly status: Status;
  readonly reason: DeniedReason | ErrorReason | null;
  readonly error_code: ErrorCode | null;
  /** Milliseconds from arrival to this record. */
  readonly duration_ms: number;
}

/**
 * What an agent says became of a call that was decided here and that it carried out itself. Nothing
 * checks it.
 */
export interface CarriedOutRecord {
  readonly kind: "carried_out";
  readonly timestamp: number;
  readonly call_id: string;
  readonly agent_id: string;
  /** Number of the outcome that allowed it. */
  readonly decided_seq: number;
  readonly status: CarriedOut;
  /** Lowercase hex SHA-256 of the RFC 8785 form of what it reports, never the report. Null: it could not be read. */
  readonly result_digest: string | null;
}

/** Left by a purge: the predecessor of the first remaining record. */
export interface CheckpointRecord {
  readonly kind: "checkpoint";
  readonly timestamp: number;
  readonly purged_through_seq: number;
  readonly purged_through_hash: string;
  readonly purged_count: number;
}

/**
 * The person has acknowledged that the log was an older copy (decision 16): it had reached
 * `expected_seq`, but ended at `found_seq`.
 */
export interface AcknowledgementRecord {
  readonly kind: "acknowledgement";
  readonly timestamp: number;
  /** Milliseconds since the epoch. */
  readonly noticed_at: number;
  readonly expected_seq: number;
  readonly expected_hash: string;
  readonly found_seq: number;
  readonly found_hash: string;
}

export type AuditRecord =
  | IntentRecord
  | OutcomeRecord
  | CarriedOutRecord
  | CheckpointRecord
  | AcknowledgementRecord;

/** The records that the chain of calls writes (contract §2). */
export const isAboutCall = (record: AuditRecord): record is IntentRecord | OutcomeRecord =>
  record.kind === "intent" || record.kind === "outcome";

/** A record with its position in the chain. */
export interface ChainedRecord {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Hash of the previous record; 64 zeros for the first of a log. */
  readonly prev_hash: string;
  readonly hash: string;
  readonly record: AuditRecord;
}
