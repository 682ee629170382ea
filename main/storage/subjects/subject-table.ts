import type { Database, Statement } from "better-sqlite3";
import { SUBJECT_BYTES } from "./subject-digests.ts";

interface Ended {
  readonly first_seq: number;
  readonly line_seq: number;
  readonly digests: Uint8Array;
}

interface Stored {
  readonly line_seq: number;
  readonly digests: Uint8Array;
}

/** The number of the record that ended the call of a row `n` of `new_subjects`; null: it runs. */
export const LINE_OF_NEW = `CASE o.kind WHEN 'outcome' THEN o.seq ELSE
  (SELECT a.outcome_seq FROM ended_calls a
   WHERE a.agent_id = o.agent_id AND a.call_id = o.call_id) END`;

/** Keeps the digests of calls' subjects in step with the log. Call everything within a write. */
export class SubjectTable {
  readonly #add: Statement<[number, Uint8Array]>;
  readonly #ended: Statement<[number], Ended>;
  readonly #forget: Statement<[number]>;
  readonly #keep: Statement<[number, Uint8Array]>;
  readonly #index: Statement<[number, number]>;
  readonly #expired: Statement<[number], Stored>;
  readonly #unindex: Statement<[number, number]>;
  readonly #forgetNew: Statement<[number]>;
  readonly #forgetKept: Statement<[number]>;

  constructor(db: Database) {
    this.#add = db.prepare("INSERT INTO new_subjects VALUES (?, ?)");
    this.#ended = db.prepare(
      `SELECT * FROM (SELECT n.first_seq, ${LINE_OF_NEW} AS line_seq, n.digests
         FROM new_subjects n CROSS JOIN audit_log o ON o.seq = n.first_seq ORDER BY n.first_seq)
       WHERE line_seq IS NOT NULL LIMIT ?`,
    );
    this.#forget = db.prepare("DELETE FROM new_subjects WHERE first_seq = ?");
    this.#keep = db.prepare("INSERT INTO line_subjects VALUES (?, ?)");
    this.#index = db.prepare("INSERT OR IGNORE INTO subject_lines VALUES (?, ?)");
    this.#expired = db.prepare("SELECT * FROM line_subjects WHERE line_seq <= ?");
    this.#unindex = db.prepare("DELETE FROM subject_lines WHERE subject_head = ? AND line_seq = ?");
    this.#forgetNew = db.prepare("DELETE FROM new_subjects WHERE first_seq <= ?");
    this.#forgetKept = db.prepare("DELETE FROM line_subjects WHERE line_seq <= ?");
  }

  /** @param firstSeq number of the call's first record */
  add(firstSeq: number, digests: Uint8Array): void {
    if (digests.length > 0) this.#add.run(firstSeq, digests);
  }

  /**
   * Indexes calls that have ended.
   * @returns how many; fewer than `most`: all are
   */
  index(most: number): number {
    const ended = this.#ended.all(most);
    for (const { first_seq, line_seq, digests } of ended) {
      this.#forget.run(first_seq);
      this.#keep.run(line_seq, digests);
      for (const head of headsIn(digests)) this.#index.run(head, line_seq);
    }
    return ended.length;
  }

  removeThrough(seq: number): void {
    for (const { line_seq, digests } of this.#expired.all(seq)) {
      for (const head of headsIn(digests)) this.#unindex.run(head, line_seq);
    }
    this.#forgetKept.run(seq);
    this.#forgetNew.run(seq);
  }
}

/** 48 bits of each digest, as the index has them. */
export function headsIn(digests: Uint8Array): readonly number[] {
  const bytes = Buffer.from(digests.buffer, digests.byteOffset, digests.length);
  const heads: number[] = [];
  for (let at = 0; at + SUBJECT_BYTES <= bytes.length; at += SUBJECT_BYTES) {
    heads.push(bytes.readUIntBE(at, 6));
  }
  return heads;
}
