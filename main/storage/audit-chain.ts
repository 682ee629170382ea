import { hash } from "node:crypto";
import type { Database, Statement } from "better-sqlite3";
import type { AuditRecord } from "../../app/audit/audit-record.ts";
import { chainRecord, GENESIS_HASH, type TextHash } from "../../app/audit/hash-chain.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import { CHAIN_COLUMNS, COLUMNS_OF, SUBJECTS_COLUMN, storableRecord } from "./audit-row.ts";
import type { CommitListener } from "./group-commit.ts";

/** OpenSSL's, several times faster than the portable one. */
export const fastSha256: TextHash = (text) => hash("sha256", text);

/** A stored record, and its position. */
export interface Appended<R extends AuditRecord> {
  readonly seq: number;
  readonly record: R;
}

/** The position of a record, and its timestamp. */
interface ChainEnd extends ChainHead {
  readonly at: number;
}

/**
 * The growing end of the log. Its head is part of the transaction: records of one commit are
 * chained to each other, and a rollback is undone in memory too.
 */
export class AuditChain implements CommitListener {
  readonly #inserts: Readonly<Record<AuditRecord["kind"], Statement<unknown[]>>>;
  readonly #stamped: (seq: number, timestamp: number) => void;
  #durable: ChainEnd;
  #marked: ChainEnd;
  #head: ChainEnd;
  /** Timestamp of the newest record at opening; 0 for an empty log. */
  readonly lastRecordAt: number;

  /**
   * @param stamped called within the write of each record, with its number and timestamp
   * @param remembered the head as last stored outside the log. If the log ends before it, records
   * were removed: the next record then follows the remembered one, and the gap stays visible.
   */
  constructor(
    db: Database,
    remembered: ChainHead | undefined,
    stamped: (seq: number, timestamp: number) => void,
  ) {
    this.#stamped = stamped;
    this.#inserts = {
      intent: db.prepare(insertSql("intent")),
      outcome: db.prepare(insertSql("outcome")),
      checkpoint: db.prepare(insertSql("checkpoint")),
      acknowledgement: db.prepare(insertSql("acknowledgement")),
      carried_out: db.prepare(insertSql("carried_out")),
    };
    const last = db
      .prepare<[], ChainHead & { timestamp: number }>(
        "SELECT seq, hash, timestamp FROM audit_log ORDER BY seq DESC LIMIT 1",
      )
      .get();
    const at = last?.timestamp ?? 0;
    const found = last ?? { seq: 0, hash: GENESIS_HASH };
    const ahead = remembered !== undefined && remembered.seq > found.seq;
    const { seq, hash: end } = ahead ? remembered : found;
    this.#durable = { seq, hash: end, at };
    this.#marked = this.#durable;
    this.#head = this.#durable;
    this.lastRecordAt = at;
  }

  /** The last durable record. */
  get durableHead(): ChainHead {
    return this.#durable;
  }

  /** Within a write: the last record of the current transaction. */
  get head(): ChainHead {
    return this.#head;
  }

  /**
   * Called within a write.
   * @param subjects asked for the stored record: digests of what the call is about, kept beside it
   */
  append<R extends AuditRecord>(
    record: R,
    subjects: (stored: R) => Uint8Array | null = () => null,
  ): Appended<R> {
    const { seq, hash: prevHash, at } = this.#head;
    // Times never decrease along the log, so a period is a range of numbers.
    const stored = storableRecord({ ...record, timestamp: Math.max(at, record.timestamp) });
    const chained = chainRecord(seq + 1, prevHash, stored, fastSha256);
    const values: Readonly<Record<string, unknown>> = { ...stored };
    this.#inserts[stored.kind].run(
      chained.seq,
      chained.prev_hash,
      chained.hash,
      stored.kind,
      stored.timestamp,
      subjects(stored),
      ...COLUMNS_OF[stored.kind].map((column) => values[column] ?? null),
    );
    this.#head = { seq: chained.seq, hash: chained.hash, at: stored.timestamp };
    this.#stamped(chained.seq, stored.timestamp);
    return { seq: chained.seq, record: stored };
  }

  mark(): void {
    this.#marked = this.#head;
  }

  restore(): void {
    this.#head = this.#marked;
  }

  committed(): void {
    this.#durable = this.#head;
  }

  rolledBack(): void {
    this.#head = this.#durable;
  }
}

function insertSql(kind: AuditRecord["kind"]): string {
  const columns = [...CHAIN_COLUMNS, SUBJECTS_COLUMN, ...COLUMNS_OF[kind]];
  return `INSERT INTO audit_log (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}
