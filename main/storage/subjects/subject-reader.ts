import type { Database, Statement } from "better-sqlite3";
import type { Bounds } from "../activity/seq-bounds.ts";
import { SUBJECT_BYTES } from "./subject-digests.ts";
import { headsIn, LINE_OF_NEW } from "./subject-table.ts";

/** Finds lines by the digest of a subject, whether they are indexed yet or not. */
export class SubjectReader {
  readonly #indexed: Statement<[object], number>;
  readonly #waiting: Statement<[object], number>;
  readonly #isAbout: Statement<[object], number>;
  readonly #within: Statement<
    [Bounds],
    { readonly line_seq: number; readonly digests: Uint8Array }
  >;

  constructor(db: Database) {
    this.#indexed = db
      .prepare<[object], number>(
        `SELECT s.line_seq FROM subject_lines s
           CROSS JOIN line_subjects k ON k.line_seq = s.line_seq
         WHERE s.subject_head = @head AND s.line_seq > @above AND s.line_seq < @below
           AND instr(k.digests, @subject) > 0
         ORDER BY s.line_seq DESC LIMIT @limit`,
      )
      .pluck();
    this.#waiting = db
      .prepare<[object], number>(
        `SELECT line_seq FROM (SELECT ${LINE_OF_NEW} AS line_seq
           FROM new_subjects n CROSS JOIN audit_log o ON o.seq = n.first_seq
           WHERE instr(n.digests, @subject) > 0)
         WHERE line_seq > @above AND line_seq < @below ORDER BY line_seq DESC LIMIT @limit`,
      )
      .pluck();
    this.#isAbout = db
      .prepare<[object], number>(
        "SELECT 1 FROM new_subjects WHERE first_seq = @seq AND instr(digests, @subject) > 0",
      )
      .pluck();
    this.#within = db.prepare(
      `SELECT line_seq, digests FROM line_subjects WHERE line_seq > @above AND line_seq < @below
       UNION ALL SELECT line_seq, digests FROM (SELECT ${LINE_OF_NEW} AS line_seq, n.digests
         FROM new_subjects n CROSS JOIN audit_log o ON o.seq = n.first_seq)
       WHERE line_seq > @above AND line_seq < @below`,
    );
  }

  /** By line, in lowercase hex. */
  within(bounds: Bounds): ReadonlyMap<number, readonly string[]> {
    const rows = this.#within.all(bounds);
    return new Map(rows.map(({ line_seq, digests }) => [line_seq, hexesOf(digests)]));
  }

  /**
   * Newest first.
   * @param digest lowercase hex
   */
  newest(digest: string, bounds: Bounds, limit: number): readonly number[] {
    const subject = Buffer.from(digest, "hex");
    const [head = 0] = headsIn(subject);
    const wanted = { subject, head, ...bounds, limit };
    const found = [...this.#indexed.all(wanted), ...this.#waiting.all(wanted)];
    return found.sort((one, other) => other - one).slice(0, limit);
  }

  /** Whether the running call with this first record is about it. */
  isAbout(digest: string, firstSeq: number): boolean {
    const wanted = { seq: firstSeq, subject: Buffer.from(digest, "hex") };
    return this.#isAbout.get(wanted) !== undefined;
  }
}

function hexesOf(digests: Uint8Array): readonly string[] {
  const hex = Buffer.from(digests).toString("hex");
  return hex.match(new RegExp(`.{${2 * SUBJECT_BYTES}}`, "gu")) ?? [];
}
