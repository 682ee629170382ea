import type { AuditRecord, ChainedRecord } from "../../app/audit/audit-record.ts";

/** A row of `audit_log`, by column. */
export interface AuditRow {
  readonly seq: number;
  readonly prev_hash: string;
  readonly hash: string;
  readonly kind: string;
  readonly timestamp: number;
  readonly call_id: string | null;
  readonly agent_id: string | null;
  readonly tool_name: string | null;
  readonly scope: string | null;
  readonly arguments_digest: string | null;
  readonly conversation_id: string | null;
  readonly transport: string | null;
  readonly decided_by: string | null;
  readonly status: string | null;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly duration_ms: number | null;
  readonly purged_through_seq: number | null;
  readonly purged_through_hash: string | null;
  readonly purged_count: number | null;
  readonly noticed_at: number | null;
  readonly expected_seq: number | null;
  readonly expected_hash: string | null;
  readonly found_seq: number | null;
  readonly found_hash: string | null;
  readonly decided_seq: number | null;
  readonly result_digest: string | null;
  readonly rule_id: string | null;
  readonly given_at: number | null;
  readonly given_on: string | null;
}

const CALL_COLUMNS = [
  "call_id",
  "agent_id",
  "tool_name",
  "scope",
  "arguments_digest",
  "conversation_id",
  "transport",
  "decided_by",
] as const;
/** Members that a record leaves out rather than being `null`; their columns came later. */
const GIVEN_COLUMNS = ["rule_id", "given_at", "given_on"] as const;
const OUTCOME_COLUMNS = ["status", "reason", "error_code", "duration_ms"] as const;
const CARRIED_OUT_COLUMNS = [
  "call_id",
  "agent_id",
  "status",
  "decided_seq",
  "result_digest",
] as const;
const CHECKPOINT_COLUMNS = ["purged_through_seq", "purged_through_hash", "purged_count"] as const;
const ACKNOWLEDGEMENT_COLUMNS = [
  "noticed_at",
  "expected_seq",
  "expected_hash",
  "found_seq",
  "found_hash",
] as const;
/** The last column: what no record contains and no hash covers (docs/audit-log.md, "Subjects"). */
export const SUBJECTS_COLUMN = "subjects";
export const CHAIN_COLUMNS = ["seq", "prev_hash", "hash", "kind", "timestamp"] as const;

/** Which columns each kind of record fills, after those of the chain. */
export const COLUMNS_OF = {
  intent: [...CALL_COLUMNS, ...GIVEN_COLUMNS],
  outcome: [...CALL_COLUMNS, ...GIVEN_COLUMNS, ...OUTCOME_COLUMNS],
  checkpoint: CHECKPOINT_COLUMNS,
  acknowledgement: ACKNOWLEDGEMENT_COLUMNS,
  carried_out: CARRIED_OUT_COLUMNS,
} as const satisfies Record<AuditRecord["kind"], readonly (keyof AuditRow)[]>;

/**
 * The record as it will be read back from the columns. What is hashed must be what is stored: a
 * property without a column, an unpaired surrogate or a fraction would make an intact log look
 * altered.
 */
export function storableRecord<R extends AuditRecord>(record: R): R {
  const source: Readonly<Record<string, unknown>> = { ...record };
  const stored: Record<string, unknown> = {
    kind: record.kind,
    timestamp: storableValue(record.timestamp),
  };
  for (const column of COLUMNS_OF[record.kind]) {
    if (source[column] !== undefined) stored[column] = storableValue(source[column]);
  }
  // Exactly the properties of this kind of record, each of the right type.
  return stored as unknown as R;
}

function storableValue(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return Math.round(value);
  return value;
}

/**
 * A row at its position in the chain, read without checks: verification hashes what is stored, so
 * an altered row must be returned unchanged.
 */
export function chainedRecordOf(row: AuditRow): ChainedRecord {
  const record: Record<string, unknown> = { kind: row.kind, timestamp: row.timestamp };
  for (const column of columnsOf(row.kind)) {
    if (row[column] != null || !LATER.has(column)) record[column] = row[column];
  }
  return {
    seq: row.seq,
    prev_hash: row.prev_hash,
    hash: row.hash,
    record: record as unknown as AuditRecord,
  };
}

const LATER: ReadonlySet<keyof AuditRow> = new Set(GIVEN_COLUMNS);

/** Those that rows and exported files from before the others were added have. */
export const FIRST_AUDIT_COLUMNS: readonly (keyof AuditRow)[] = [
  ...new Set([...CHAIN_COLUMNS, ...Object.values(COLUMNS_OF).flat()]),
].filter((column) => !LATER.has(column));

/** In the order of the table's columns. */
export const AUDIT_COLUMNS: readonly (keyof AuditRow)[] = [
  ...FIRST_AUDIT_COLUMNS,
  ...GIVEN_COLUMNS,
];

const isKind = (kind: string): kind is AuditRecord["kind"] => Object.hasOwn(COLUMNS_OF, kind);

const columnsOf = (kind: string): readonly (keyof AuditRow)[] =>
  isKind(kind) ? COLUMNS_OF[kind] : [];
