import type { Database, Statement } from "better-sqlite3";
import { headsIn } from "../subjects/subject-table.ts";

/** Records read before yielding to the event loop: some milliseconds, or this many disk reads. */
const STEP = 50;

interface Stretch {
  readonly last: number | null;
  readonly records: number;
}

/**
 * Reads the oldest records and their index entries before a purge. In two of the indexes,
 * neighbouring records are far apart, so each may need a disk read; otherwise the thread that
 * answers calls would have to wait for those.
 */
export class ExpiredPages {
  readonly #records: Statement<[number, number], Stretch>;
  readonly #answered: Statement<[number, number], number>;
  readonly #lines: Statement<[number, number], number>;
  readonly #subjects: Statement<[number, number], Uint8Array>;
  readonly #subjectLine: Statement<[number, number], number>;

  constructor(db: Database) {
    this.#records = db.prepare(
      `SELECT max(seq) AS last, count(*) AS records FROM
         (SELECT seq FROM audit_log WHERE seq > ? ORDER BY seq LIMIT ?)`,
    );
    this.#answered = db
      .prepare<[number, number], number>(
        `SELECT total(a.outcome_seq) FROM audit_log o CROSS JOIN ended_calls a
         ON a.agent_id = o.agent_id AND a.call_id = o.call_id
         WHERE o.seq > ? AND o.seq <= ? AND o.kind = 'outcome'`,
      )
      .pluck();
    const found = (index: string, key: string) =>
      `EXISTS (SELECT 1 FROM activity_lines i INDEXED BY activity_lines_${index}
         WHERE i.${key} = n.${key} AND i.facet_id = n.facet_id AND i.seq = n.seq)`;
    this.#lines = db
      .prepare<[number, number], number>(
        `SELECT total(${found("call", "call_id")} + ${found("digest", "digest_head")} +
           EXISTS (SELECT 1 FROM activity_lines i INDEXED BY activity_lines_facet
             WHERE i.facet_id = n.facet_id AND i.seq = n.seq))
         FROM activity_lines n NOT INDEXED WHERE n.seq > ? AND n.seq <= ?`,
      )
      .pluck();
    this.#subjects = db
      .prepare<[number, number], Uint8Array>(
        "SELECT subjects FROM audit_log WHERE seq > ? AND seq <= ? AND subjects IS NOT NULL",
      )
      .pluck();
    this.#subjectLine = db
      .prepare<[number, number], number>(
        "SELECT 1 FROM subject_lines WHERE subject_head = ? AND line_seq >= ? LIMIT 1",
      )
      .pluck();
  }

  /**
   * Reads from the beginning of the log.
   * @param records maximum number
   * @returns how many were read
   */
  async read(records: number): Promise<number> {
    let above = 0;
    let read = 0;
    while (read < records) {
      const found = this.#records.get(above, Math.min(STEP, records - read));
      if (found === undefined || found.last === null) break;
      this.#answered.get(above, found.last);
      this.#lines.get(above, found.last);
      // The last column, so each record is read completely.
      for (const subjects of this.#subjects.all(above, found.last)) {
        for (const head of headsIn(subjects)) this.#subjectLine.get(head, above);
      }
      above = found.last;
      read += found.records;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return read;
  }
}
