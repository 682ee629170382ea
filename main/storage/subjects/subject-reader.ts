import type { Database, Statement } from "better-sqlite3";
import type { Bounds } from "../activity/seq-bounds.ts";
import { SUBJECT_BYTES } from "./subject-digests.ts";
import { headsIn, SUBJECTS_OF_LINE } from "./subject-table.ts";

const NO_LIMIT = -1;

/**
 * Finds lines by the digest of a subject, whether they are indexed yet or not. Of indexed ones, only the 48
 * bits are compared that the index has: nobody without the key can make two alike, and the rest is on pages
 * all over the file.
 */
export class SubjectReader {
  readonly #indexed: Statement<[object], number>;
  readonly #indexedWith: Statement<[object], number>;
  readonly #among: Statement<[object], number>;
  readonly #last: Statement<[object], number>;
  readonly #waiting: Statement<[object], number>;
  readonly #isAbout: Statement<[object], number>;
  readonly #within: Statement<
    [Bounds],
    { readonly line_seq: number; readonly subjects: Uint8Array }
  >;

  constructor(db: Database) {
    const number = (sql: string) => db.prepare<[object], number>(sql).pluck();
    this.#indexed = number(
      `SELECT line_seq FROM subject_lines
       WHERE subject_head = @head AND line_seq > @above AND line_seq < @below
       ORDER BY line_seq DESC LIMIT @limit`,
    );
    this.#indexedWith = number(
      `SELECT n.seq FROM subject_lines s CROSS JOIN activity_lines n ON n.seq = s.line_seq
       WHERE s.subject_head = @head AND s.line_seq > @above AND s.line_seq < @below
         AND n.facet_id IN (SELECT value FROM json_each(@facets))
       ORDER BY s.line_seq DESC LIMIT @limit`,
    );
    this.#among = number(
      `SELECT s.line_seq FROM json_each(@seqs) wanted
         CROSS JOIN subject_lines s ON s.subject_head = @head AND s.line_seq = wanted.value`,
    );
    this.#last = number(
      `SELECT line_seq FROM subject_lines
       WHERE subject_head = @head AND line_seq > @above AND line_seq < @below
       ORDER BY line_seq DESC LIMIT 1 OFFSET @most`,
    );
    this.#waiting = number(
      `SELECT o.seq FROM audit_log o
       WHERE o.seq > max(@above, (SELECT indexed_through FROM store_state)) AND o.seq < @below
         AND o.kind = 'outcome' AND instr(${SUBJECTS_OF_LINE}, @subject) > 0
       ORDER BY o.seq DESC LIMIT @limit`,
    );
    this.#isAbout = number(
      "SELECT 1 FROM audit_log WHERE seq = @seq AND instr(subjects, @subject) > 0",
    );
    this.#within = db.prepare(
      `SELECT * FROM (SELECT o.seq AS line_seq, ${SUBJECTS_OF_LINE} AS subjects FROM audit_log o
         WHERE o.seq > @above AND o.seq < @below AND o.kind = 'outcome')
       WHERE subjects IS NOT NULL`,
    );
  }

  /** By line, in lowercase hex. */
  within(bounds: Bounds): ReadonlyMap<number, readonly string[]> {
    const rows = this.#within.all(bounds);
    return new Map(rows.map(({ line_seq, subjects }) => [line_seq, hexesOf(subjects)]));
  }

  /**
   * Newest first. Of lines that are not indexed yet, the facets are not compared.
   * @param digest lowercase hex
   * @param facets a JSON array of their numbers; null: any
   */
  newest(
    digest: string,
    bounds: Bounds,
    limit: number,
    facets: string | null = null,
  ): readonly number[] {
    const wanted = { ...this.#wanted(digest), ...bounds, limit };
    const indexed =
      facets === null ? this.#indexed.all(wanted) : this.#indexedWith.all({ ...wanted, facets });
    const found = [...indexed, ...this.#waiting.all(wanted)];
    return found.sort((one, other) => other - one).slice(0, limit);
  }

  /**
   * Those of the lines that are about it, in their order.
   * @param seqs newest first
   */
  among(digest: string, seqs: readonly number[]): readonly number[] {
    const bounds = { above: (seqs.at(-1) ?? 0) - 1, below: (seqs[0] ?? 0) + 1 };
    const wanted = this.#wanted(digest);
    const found = new Set([
      ...this.#among.all({ ...wanted, seqs: JSON.stringify(seqs) }),
      ...this.#waiting.all({ ...wanted, ...bounds, limit: NO_LIMIT }),
    ]);
    return seqs.filter((seq) => found.has(seq));
  }

  /** The line after this many of the subject's, newest first; 0: it has no more. */
  lastOf(digest: string, bounds: Bounds, most: number): number {
    return this.#last.get({ ...this.#wanted(digest), ...bounds, most }) ?? 0;
  }

  #wanted(digest: string) {
    const subject = Buffer.from(digest, "hex");
    const [head = 0] = headsIn(subject);
    return { subject, head };
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
