import type { Database, Statement } from "better-sqlite3";
import {
  type ChainHead,
  type ChainVerdict,
  ChainVerifier,
} from "../../../app/audit/verify-chain.ts";
import { fastSha256 } from "../audit-chain.ts";
import { type AuditRow, chainedRecordOf } from "../audit-row.ts";

/** Records verified between two turns of the event loop: a few milliseconds. */
const STEP = 300;

export interface VerifyControls {
  /** Where the log ends, as its writer knows it. */
  readonly head: ChainHead;
  /** Records verified so far, and how many there are in all. */
  readonly progress: (verified: number, total: number) => void;
  readonly signal: AbortSignal;
  readonly pause: () => Promise<void>;
}

export interface Verified {
  readonly verdict: ChainVerdict;
  /** Number of the newest record there was when that was over. */
  readonly newest: number;
}

/**
 * Verifies the log up to its present end. Each step is a transaction of its own: a snapshot kept for
 * minutes would make the write-ahead log grow for as long.
 */
export class VerifySteps {
  readonly #db: Database;
  readonly #step: Statement<[number, number], AuditRow>;
  readonly #oldest: Statement<[], number>;
  readonly #newest: Statement<[], number>;

  constructor(db: Database) {
    this.#db = db;
    this.#step = db.prepare(
      `SELECT * FROM audit_log WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ${STEP}`,
    );
    this.#oldest = db.prepare<[], number>("SELECT seq FROM audit_log ORDER BY seq LIMIT 1").pluck();
    this.#newest = db
      .prepare<[], number>("SELECT seq FROM audit_log ORDER BY seq DESC LIMIT 1")
      .pluck();
  }

  /** @throws the signal's reason */
  async verify(controls: VerifyControls): Promise<Verified> {
    let verdict: ChainVerdict | undefined;
    // A purge deleted the next records: the rest of the log begins later.
    while (verdict === undefined) verdict = await this.#walk(controls);
    return { verdict, newest: this.#newest.get() ?? 0 };
  }

  async #walk(controls: VerifyControls): Promise<ChainVerdict | undefined> {
    const { head, progress, signal, pause } = controls;
    const { first, end } = this.#extent();
    // A record that was purged meanwhile is confirmed by the checkpoint, like all before the first.
    const known = head.seq < first ? undefined : head;
    const verifier = new ChainVerifier({ sha256: fastSha256, known });
    let last = first - 1;
    for (;;) {
      const rows = this.#step.all(last, end);
      if (last >= first && rows[0]?.seq !== last + 1 && (this.#oldest.get() ?? 0) > last + 1) {
        return undefined;
      }
      last = rows.at(-1)?.seq ?? last;
      if (!rows.every((row) => verifier.accept(chainedRecordOf(row))) || rows.length < STEP) break;
      progress(last - first + 1, end - first + 1);
      await pause();
      signal.throwIfAborted();
    }
    return verifier.finish();
  }

  /** Of one moment: the checkpoint that vouches for the first record is in between. */
  #extent(): { readonly first: number; readonly end: number } {
    return this.#db.transaction(() => ({
      first: this.#oldest.get() ?? 1,
      end: this.#newest.get() ?? 0,
    }))();
  }
}
