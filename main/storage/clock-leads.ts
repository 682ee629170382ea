import type { Database, Statement } from "better-sqlite3";
import type { Follower } from "./group-commit.ts";

/** Smaller differences are delays between a record's timestamp and its append, in ms. */
const NOTICED_MS = 1_000;

interface Lead {
  readonly from_seq: number;
  readonly lead_ms: number;
}

/**
 * How far records' timestamps were ahead of the time that really passed. The log's clock never goes
 * back, so a wall clock that was once set forward leaves it ahead for good. An entry's age excludes
 * that lead; otherwise entries would be kept longer than 30 days by as much (contract §6).
 */
export class ClockLeads implements Follower {
  readonly #read: Statement<[], Lead>;
  readonly #add: Statement<[number, number]>;
  readonly #drop: Statement<[number]>;
  #known: readonly Lead[] | undefined;

  constructor(db: Database) {
    this.#read = db.prepare("SELECT from_seq, lead_ms FROM clock_leads ORDER BY from_seq");
    this.#add = db.prepare("INSERT INTO clock_leads VALUES (?, ?)");
    this.#drop = db.prepare("DELETE FROM clock_leads WHERE from_seq < ?");
  }

  /**
   * Call it within a write, for each record.
   * @param timestamp the record's own
   * @param passed the same moment on the clock that counts the time that really passed
   */
  note(seq: number, timestamp: number, passed: number): void {
    const lead = Math.max(0, Math.round(timestamp - passed));
    const last = this.#all().at(-1)?.lead_ms ?? 0;
    if (Math.abs(lead - last) < NOTICED_MS) return;
    this.#add.run(seq, lead);
    this.#known = [...this.#all(), { from_seq: seq, lead_ms: lead }];
  }

  /** Milliseconds. */
  leadAt(seq: number): number {
    return this.#all().findLast(({ from_seq }) => from_seq <= seq)?.lead_ms ?? 0;
  }

  /** Call it within a write: deletes what concerns only records up to this one. */
  forgetThrough(seq: number): void {
    const current = this.#all().findLast(({ from_seq }) => from_seq <= seq + 1);
    if (current === undefined || this.#all()[0] === current) return;
    this.#drop.run(current.from_seq);
    this.#known = this.#all().filter(({ from_seq }) => from_seq >= current.from_seq);
  }

  #all(): readonly Lead[] {
    this.#known ??= this.#read.all();
    return this.#known;
  }

  restore(): void {
    this.#known = undefined;
  }

  rolledBack(): void {
    this.#known = undefined;
  }
}
