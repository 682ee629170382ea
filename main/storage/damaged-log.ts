import { accessSync, constants } from "node:fs";
import Database from "better-sqlite3";
import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import { belongsAt } from "../../app/audit/suspicion.ts";
import { storeError } from "../../runtime/sqlite/store-error.ts";
import { fastSha256 } from "./audit-chain.ts";
import { type AuditRow, COLUMNS_OF, chainedRecordOf } from "./audit-row.ts";

/** Records read at once. Where that fails, each is read by itself. */
const STEP = 250;
/** How far past the last record known to the database further ones are looked for. */
const BEYOND = 10_000;

/** A record found in a damaged log. */
export interface FoundRecord {
  readonly entry: ChainedRecord;
  /** Its hash matches its content. */
  readonly sound: boolean;
}

/**
 * The log in a damaged database, as far as SQLite can still read it: damage costs the records on its own page. SQLite
 * may return whatever a damaged page says, so only a record's own hash shows that it is unchanged. The file stays as it
 * is.
 */
export class DamagedLog {
  readonly #db: Database.Database;
  readonly #range: Database.Statement<[number, number], AuditRow>;
  readonly #one: Database.Statement<[number], AuditRow>;
  readonly #firstSeq: number;
  /** Number of the last record according to the database itself. */
  readonly rememberedSeq: number;

  /** @throws StoreError `store_corrupt` if not even the list of tables can be read; file system errors */
  constructor(path: string) {
    accessSync(path, constants.R_OK);
    const db = new Database(path, { readonly: true, fileMustExist: true });
    this.#db = db;
    try {
      this.#range = db.prepare("SELECT * FROM audit_log WHERE seq >= ? AND seq <= ? ORDER BY seq");
      this.#one = db.prepare("SELECT * FROM audit_log WHERE seq = ?");
    } catch (error) {
      db.close();
      throw storeError("store_corrupt", { details: "sqlite_schema", cause: error });
    }
    const number = (sql: string) => readable(() => db.prepare<[], number>(sql).pluck().get()) ?? 0;
    this.#firstSeq = Math.max(1, number("SELECT min(seq) FROM audit_log"));
    this.rememberedSeq = Math.max(
      number("SELECT head_seq FROM store_state"),
      number("SELECT max(seq) FROM audit_log"),
    );
  }

  /** In order. */
  async *all(): AsyncIterable<FoundRecord> {
    let end = this.rememberedSeq + BEYOND;
    for (let first = this.#firstSeq; first <= end; first += STEP) {
      const found = this.#read(first, first + STEP - 1);
      if (found.length > 0) end = Math.max(end, first + BEYOND);
      yield* found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    this.#db.close();
  }

  #read(first: number, last: number): readonly FoundRecord[] {
    const together = readable(() => this.#range.all(first, last)) ?? [];
    const found = new Map(together.map((row) => [row.seq, foundIn(row)]));
    const seqs = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    return seqs.flatMap((seq) => {
      const known = found.get(seq);
      if (known?.sound === true) return [known];
      const row = readable(() => this.#one.get(seq));
      return (row === undefined ? known : (foundIn(row) ?? known)) ?? [];
    });
  }
}

/** Null if the row is not even shaped like a record. */
function foundIn(row: AuditRow): FoundRecord | null {
  const { kind, prev_hash, hash, timestamp } = row;
  const isShaped =
    Object.hasOwn(COLUMNS_OF, kind) &&
    typeof prev_hash === "string" &&
    typeof hash === "string" &&
    typeof timestamp === "number";
  if (!isShaped) return null;
  const entry = chainedRecordOf(row);
  return { entry, sound: belongsAt(entry, entry.seq, fastSha256) };
}

/** Undefined where SQLite meets damage. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Database.SqliteError) return undefined;
    throw error;
  }
}
