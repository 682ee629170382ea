import type { Database } from "better-sqlite3";
import type { AcknowledgementRecord } from "../../app/audit/audit-record.ts";
import { type Rollback, unacknowledged } from "../../app/audit/rollback.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import type { Scheduler } from "../../app/execution/ports.ts";
import { type Anchor, AnchorFile, anchorOf } from "./anchor.ts";
import { acknowledgedIn, isRolledBack } from "./find-rollback.ts";
import type { Follower } from "./group-commit.ts";

/** The anchor is this much behind the log at most, in milliseconds. */
const LAG_MS = 1_000;

export interface AnchorOptions {
  /** Outside the data folder: whoever puts back an older copy of that must not put back this. */
  readonly file: string;
  readonly scheduler: Scheduler;
  /** A disk that fails; the log goes on. */
  readonly failed: (error: unknown) => void;
}

/**
 * Keeps a note outside the data folder of how far the log has come, always of a record that is
 * durable already, and says at opening whether the log still agrees with it (decision 16).
 */
export class AnchorKeeper implements Follower {
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
   * At opening, before anything is appended.
   * @param startedAnew true when a damaged database was set aside: the person is told of that
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

  /** Roll-backs that the person has not acknowledged. */
  get breaks(): readonly Rollback[] {
    return this.#breaks;
  }

  /** These records are durable; the next writing leaves out what they are about. */
  acknowledged(records: readonly AcknowledgementRecord[]): void {
    this.#breaks = unacknowledged(this.#breaks, records);
  }

  mark(): void {
    // Only what is durable concerns the anchor.
  }

  restore(): void {
    // As above.
  }

  rolledBack(): void {
    // As above.
  }

  committed(): void {
    if (this.#cancel !== undefined || this.#closed) return;
    this.#cancel = this.#options.scheduler.after(LAG_MS, () => {
      this.#writing = this.#write();
    });
  }

  /** The last word, at once. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel?.();
    try {
      this.#file.writeNow(anchorOf(this.#head(), this.#breaks));
    } catch (error) {
      this.#options.failed(error);
    }
  }

  /** Resolves when no writing is under way. */
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
    // The log went on while the disk was busy.
    if (this.#head().seq !== head.seq) this.committed();
  }
}
