import { accessSync, constants } from "node:fs";
import Database from "better-sqlite3";
import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import { belongsAt } from "../../app/audit/suspicion.ts";
import { auditFileError } from "../../main/audit-log/index.ts";
import { FORMAT_VERSION, jsonLine, SALVAGE_FORMAT } from "../../main/audit-log/jsonl-format.ts";
import {
  type AuditRow,
  COLUMNS_OF,
  chainedRecordOf,
  fastSha256,
} from "../../main/storage/index.ts";

export interface SalvageReport {
  /** Records whose hash matches their content. */
  readonly recovered: number;
  /** Records found whose hash does not match; they are marked. */
  readonly mismatched: number;
  readonly gaps: number;
  /** How many records the gaps represent. */
  readonly missing: number;
}

/** Records read at once. Where that fails, each is read by itself. */
const STEP = 250;
/** How far past the last record known to the database further ones are looked for. */
const BEYOND = 10_000;

/**
 * The log in a damaged database, as far as SQLite can still read it: damage costs the records on its own page. SQLite
 * may return whatever a damaged page says, so only a record's own hash shows that it is unchanged. Purged records are
 * not brought back. The file stays as it is.
 *
 * @param salvagedAt milliseconds since the epoch, for the header
 * @param done called at the end
 * @throws AuditFileError `not_a_database` if not even the list of tables can be read; file system errors
 */
export async function* salvageLog(
  path: string,
  salvagedAt: number,
  done: (report: SalvageReport) => void,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  accessSync(path, constants.R_OK);
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const log = new DamagedLog(db);
    let purgedThrough = 0;
    for await (const { entry, sound } of log.all()) {
      const { record } = entry;
      if (sound && record.kind === "checkpoint") purgedThrough = record.purged_through_seq;
    }
    const lines = new SalvagedLines(purgedThrough);
    const salvaged_at = new Date(salvagedAt).toISOString();
    yield encoder.encode(
      jsonLine({ format: SALVAGE_FORMAT, version: FORMAT_VERSION, salvaged_at }),
    );
    for await (const found of log.all()) {
      if (found.entry.seq > purgedThrough) yield encoder.encode(lines.next(found));
    }
    yield encoder.encode(lines.end(log.rememberedSeq));
    done(lines.report);
  } finally {
    db.close();
  }
}

interface Found {
  readonly entry: ChainedRecord;
  /** Its hash matches its content. */
  readonly sound: boolean;
}

class DamagedLog {
  readonly #range: Database.Statement<[number, number], AuditRow>;
  readonly #one: Database.Statement<[number], AuditRow>;
  readonly #firstSeq: number;
  /** Number of the last record according to the database itself. */
  readonly rememberedSeq: number;

  /** @throws AuditFileError `not_a_database` */
  constructor(db: Database.Database) {
    try {
      this.#range = db.prepare("SELECT * FROM audit_log WHERE seq >= ? AND seq <= ? ORDER BY seq");
      this.#one = db.prepare("SELECT * FROM audit_log WHERE seq = ?");
    } catch (error) {
      throw auditFileError("not_a_database", { cause: error });
    }
    const number = (sql: string) => readable(() => db.prepare<[], number>(sql).pluck().get()) ?? 0;
    this.#firstSeq = Math.max(1, number("SELECT min(seq) FROM audit_log"));
    this.rememberedSeq = Math.max(
      number("SELECT head_seq FROM store_state"),
      number("SELECT max(seq) FROM audit_log"),
    );
  }

  /** In order. */
  async *all(): AsyncIterable<Found> {
    let end = this.rememberedSeq + BEYOND;
    for (let first = this.#firstSeq; first <= end; first += STEP) {
      const found = this.#read(first, first + STEP - 1);
      if (found.length > 0) end = Math.max(end, first + BEYOND);
      yield* found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #read(first: number, last: number): readonly Found[] {
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
function foundIn(row: AuditRow): Found | null {
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

/** The lines in order, with one for each gap between sound records. */
class SalvagedLines {
  #next: number;
  #recovered = 0;
  #mismatched = 0;
  #gaps = 0;
  #missing = 0;

  constructor(purgedThrough: number) {
    this.#next = purgedThrough + 1;
  }

  get report(): SalvageReport {
    return {
      recovered: this.#recovered,
      mismatched: this.#mismatched,
      gaps: this.#gaps,
      missing: this.#missing,
    };
  }

  next({ entry, sound }: Found): string {
    const { seq, prev_hash, hash, record } = entry;
    if (!sound) {
      this.#mismatched += 1;
      return jsonLine({ seq, prev_hash, hash, record, mismatch: true });
    }
    const gap = this.#gapBefore(seq);
    this.#recovered += 1;
    this.#next = seq + 1;
    return gap + jsonLine({ seq, prev_hash, hash, record });
  }

  end(rememberedSeq: number): string {
    return this.#gapBefore(rememberedSeq + 1);
  }

  #gapBefore(seq: number): string {
    if (seq <= this.#next) return "";
    this.#gaps += 1;
    this.#missing += seq - this.#next;
    return jsonLine({ gap: { first_seq: this.#next, last_seq: seq - 1 } });
  }
}
