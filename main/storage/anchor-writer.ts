import type { Database } from "better-sqlite3";
import type { AcknowledgementRecord } from "../../app/audit/audit-record.ts";
import { type Rollback, unacknowledged } from "../../app/audit/rollback.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import type { Scheduler } from "../../app/execution/ports.ts";
import { type Anchor, AnchorFile, anchorOf } from "./anchor.ts";
import type { CommitListener } from "./group-commit.ts";

/** How far the anchor may lag behind the log, in milliseconds. */
const LAG_MS = 1_000;

export interface AnchorOptions {
  /**
   * Outside the data folder, so that restoring an older copy of the folder does not restore this.
   */
  readonly file: string;
  readonly scheduler: Scheduler;
  /** Called if writing fails; the log continues. */
  readonly failed: (error: unknown) => void;
}

/**
 * Stores the log's newest durable record outside the data folder, and checks at opening whether the
 * log still agrees with it (decision 16).
 */
export class AnchorWriter implements CommitListener {
  readonly #options: AnchorOptions;
  readonly #file: AnchorFile;
  readonly #head: () => ChainHead;
  readonly #kept: Anchor | null;
  #breaks: readonly Rollback[];
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;

  /** @param head the log's last durable record */
  constructor(options: AnchorOptions, head: () => ChainHead) {
    this.#options = options;
    this.#file = new AnchorFile(options.file);
    this.#head = head;
    this.#kept = this.#file.read();
    this.#breaks = this.#kept?.breaks ?? [];
  }

  /**
   * Call it at opening, before anything is appended.
   * @param startedAnew true if a damaged database was set aside, which is reported separately
   * @param safeNow milliseconds
   */
  check(db: Database, startedAnew: boolean, safeNow: number): void {
    if (this.#breaks.length > 0) this.acknowledged(acknowledgedIn(db));
    const expected = this.#kept?.head;
    if (expected === undefined || startedAnew || !isRolledBack(db, expected)) return;
    const { seq, hash } = this.#head();
    const found = { seq, hash };
    this.#breaks = [...this.#breaks, { noticed_at: safeNow, expected, found }];
  }

  /** Rollbacks that the person has not acknowledged. */
  get breaks(): readonly Rollback[] {
    return this.#breaks;
  }

  /** These acknowledgements are durable; the next write leaves out the rollbacks they concern. */
  acknowledged(records: readonly AcknowledgementRecord[]): void {
    this.#breaks = unacknowledged(this.#breaks, records);
  }

  committed(): void {
    if (this.#cancel !== undefined || this.#closed) return;
    this.#cancel = this.#options.scheduler.after(LAG_MS, () => {
      this.#writing = this.#write();
    });
  }

  /** The last write, synchronously. */
  close(): void {
    if (this.#closed) return;
    this.stop();
    this.#writeNow();
  }

  /** Nothing is written from now on. */
  stop(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  /** Resolves when no write is under way. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const head = this.#head();
    try {
      await this.#file.write(anchorOf(head, this.#breaks));
    } catch (error) {
      this.#options.failed(error);
    }
    this.#cancel = undefined;
    // What closing wrote may have been replaced.
    if (this.#closed) this.#writeNow();
    // The log grew during the write.
    else if (this.#head().seq !== head.seq) this.committed();
  }

  #writeNow(): void {
    try {
      this.#file.writeNow(anchorOf(this.#head(), this.#breaks));
    } catch (error) {
      this.#options.failed(error);
    }
  }
}

/**
 * Whether the log neither contains nor has purged the record that an anchor names: a restored older
 * copy of the database ends before it or continues differently.
 */
function isRolledBack(db: Database, anchored: ChainHead): boolean {
  if (anchored.seq === 0) return false;
  const hash = db
    .prepare<[number], string>("SELECT hash FROM audit_log WHERE seq = ?")
    .pluck()
    .get(anchored.seq);
  return hash === undefined ? !wasPurged(db, anchored) : hash !== anchored.hash;
}

/** Rollbacks that the person has acknowledged, according to the log. Reads the whole log. */
const acknowledgedIn = (db: Database): readonly AcknowledgementRecord[] =>
  db
    .prepare<[], AcknowledgementRecord>("SELECT * FROM audit_log WHERE kind = 'acknowledgement'")
    .all();

/** A log that begins later must contain the checkpoint that confirms the earlier records. */
function wasPurged(db: Database, { seq, hash }: ChainHead): boolean {
  const first = db
    .prepare<[], number>("SELECT seq FROM audit_log ORDER BY seq LIMIT 1")
    .pluck()
    .get();
  if (first === undefined || first <= seq) return false;
  const vouched = db
    .prepare<[number], string>(
      `SELECT purged_through_hash FROM audit_log
       WHERE kind = 'checkpoint' AND purged_through_seq = ? ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
    .get(first - 1);
  return vouched !== undefined && (first - 1 !== seq || vouched === hash);
}
