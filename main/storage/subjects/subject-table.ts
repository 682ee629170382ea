import type { Database, Statement } from "better-sqlite3";
import { SUBJECT_BYTES } from "./subject-digests.ts";

interface AboutLine {
  readonly line_seq: number;
  /** Null: what the call is about is not known. */
  readonly subjects: Uint8Array | null;
}

/** What the call of an outcome `o` is about. It is beside the call's first record. */
const SUBJECTS_OF_LINE = `ifnull(o.subjects,
  (SELECT i.subjects FROM ended_calls a CROSS JOIN audit_log i ON i.seq = a.intent_seq
   WHERE a.agent_id = o.agent_id AND a.call_id = o.call_id AND a.outcome_seq = o.seq))`;

/**
 * Reads what calls are about.
 * @returns by the number of their outcome, lowercase hex
 */
export function subjectsIn(
  db: Database,
  first: number,
  last: number,
): ReadonlyMap<number, readonly string[]> {
  const rows = db
    .prepare<[number, number], { readonly line_seq: number; readonly subjects: Uint8Array }>(
      `SELECT * FROM (SELECT o.seq AS line_seq, ${SUBJECTS_OF_LINE} AS subjects FROM audit_log o
         WHERE o.seq >= ? AND o.seq <= ? AND o.kind = 'outcome') WHERE subjects IS NOT NULL`,
    )
    .all(first, last);
  const hexes = new RegExp(`.{${2 * SUBJECT_BYTES}}`, "gu");
  return new Map(
    rows.map(({ line_seq, subjects }) => [
      line_seq,
      Buffer.from(subjects).toString("hex").match(hexes) ?? [],
    ]),
  );
}

/** Keeps the index of what calls are about in step with the log. Call everything within a write. */
export class SubjectTable {
  readonly #ended: Statement<[number], AboutLine>;
  readonly #add: Statement<[number, number]>;
  readonly #reached: Statement<[number]>;
  readonly #leaving: Statement<[number], AboutLine>;
  readonly #remove: Statement<[number, number]>;

  constructor(db: Database) {
    this.#ended = db.prepare(
      `SELECT o.seq AS line_seq, ${SUBJECTS_OF_LINE} AS subjects FROM audit_log o
       WHERE o.seq > (SELECT indexed_through FROM store_state) AND o.kind = 'outcome'
       ORDER BY o.seq LIMIT ?`,
    );
    this.#add = db.prepare("INSERT OR IGNORE INTO subject_lines VALUES (?, ?)");
    this.#reached = db.prepare("UPDATE store_state SET indexed_through = ?");
    // Also of calls that have begun by then and ended later.
    this.#leaving = db.prepare(
      `SELECT CASE o.kind WHEN 'outcome' THEN o.seq ELSE
           (SELECT a.outcome_seq FROM ended_calls a
            WHERE a.agent_id = o.agent_id AND a.call_id = o.call_id) END AS line_seq, o.subjects
       FROM audit_log o WHERE o.seq <= ? AND o.subjects IS NOT NULL`,
    );
    this.#remove = db.prepare("DELETE FROM subject_lines WHERE subject_head = ? AND line_seq = ?");
  }

  /**
   * Indexes calls that have ended.
   * @returns how many; fewer than `most`: all are
   */
  index(most: number): number {
    const ended = this.#ended.all(most);
    for (const line of ended) for (const head of headsOf(line)) this.#add.run(head, line.line_seq);
    const last = ended.at(-1);
    if (last !== undefined) this.#reached.run(last.line_seq);
    return ended.length;
  }

  /** While the log and what is known of its calls are still there. */
  removeThrough(seq: number): void {
    for (const line of this.#leaving.all(seq)) {
      for (const head of headsOf(line)) this.#remove.run(head, line.line_seq);
    }
  }
}

const headsOf = ({ subjects }: AboutLine): readonly number[] =>
  subjects === null ? [] : headsIn(subjects);

/** 48 bits of a digest, as the index has them: nobody without the key can make two alike. */
export const headOf = (digest: Buffer): number => digest.readUIntBE(0, 6);

function headsIn(digests: Uint8Array): readonly number[] {
  const bytes = Buffer.from(digests.buffer, digests.byteOffset, digests.length);
  const heads: number[] = [];
  for (let at = 0; at + SUBJECT_BYTES <= bytes.length; at += SUBJECT_BYTES) {
    heads.push(headOf(bytes.subarray(at)));
  }
  return heads;
}
