import type { Database, Statement } from "better-sqlite3";
import {
  type ChainHead,
  type ChainVerdict,
  ChainVerifier,
} from "../../../app/audit/verify-chain.ts";
import { fastSha256 } from "../audit-chain.ts";
import { type AuditRow, chainedRecordOf } from "../audit-row.ts";

/** Records verified before yielding to the event loop: a few milliseconds. */
const STEP = 300;

export interface VerifyControls {
  /** The end of the log, as known to its writer. */
  readonly head: ChainHead;
  /** Records verified so far, and the total. */
  readonly progress: (verified: number, total: number) => void;
  readonly pause: () => Promise<void>;
}

export interface Verified {
  readonly verdict: ChainVerdict;
  /** Number of the newest record when verification ended. */
  readonly newest: number;
}

/**
 * Verifies the log up to its current end. Each step is a separate transaction: a snapshot held for
 * minutes would make the write-ahead log grow all the while.
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

  async verify(controls: VerifyControls): Promise<Verified> {
    let verdict: ChainVerdict | undefined;
    // A purge deleted the next records, so the rest of the log begins later.
    while (verdict === undefined) verdict = await this.#walk(controls);
    return { verdict, newest: this.#newest.get() ?? 0 };
  }

  async #walk(controls: VerifyControls): Promise<ChainVerdict | undefined> {
    const { head, progress, pause } = controls;
    const { first, end } = this.#extent();
    // A record purged meanwhile is confirmed by the checkpoint, like all those before the first.
    const known = head.seq < first ? undefined : head;
    const verifier = new ChainVerifier({ sha256: fastSha256, known });
    let last = first - 1;
    for (;;) {
      const rows = this.#step.all(last, end);
      if (rows[0]?.seq !== last + 1 && (this.#oldest.get() ?? 0) > last + 1) return undefined;
      last = rows.at(-1)?.seq ?? last;
      if (!rows.every((row) => verifier.accept(chainedRecordOf(row))) || rows.length < STEP) break;
      progress(last - first + 1, end - first + 1);
      await pause();
    }
    return verifier.finish();
  }

  /** Read in one snapshot: the checkpoint that confirms the first record lies in between. */
  #extent(): { readonly first: number; readonly end: number } {
    return this.#db.transaction(() => ({
      first: this.#oldest.get() ?? 1,
      end: this.#newest.get() ?? 0,
    }))();
  }
}
