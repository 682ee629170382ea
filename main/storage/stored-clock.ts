import type { Database, Statement } from "better-sqlite3";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import type { TrustedClock } from "../../app/execution/ports.ts";
import { storeError } from "../../runtime/sqlite/store-error.ts";
import type { CommitListener } from "./group-commit.ts";

/** Milliseconds. A wall clock counts from the epoch and may jump; a monotonic one only rises. */
export interface Ticker {
  now(): number;
}

/** What is stored of the clocks: their readings, and the wall clock's at the same moment. */
export interface ClockMark {
  readonly highWater: number;
  readonly wall: number;
  /** The reading of `safeNow`. */
  readonly passed: number;
}

/**
 * The two clocks of contract §3. `now` never runs behind the time that passed: quiet periods are
 * measured on it, so setting the wall clock back lengthens nothing. `safeNow` counts the time that
 * really passed: entries age by it, so setting the wall clock either way neither purges nor keeps
 * anything. Only the wall clock can say how long the program was not running.
 */
export class StoredClock implements TrustedClock {
  readonly #wall: Ticker;
  readonly #monotonic: Ticker;
  readonly #anchorWall: number;
  readonly #anchorMonotonic: number;
  #reading: number;
  #readAt: number;
  #passedAtAnchor: number;
  /**
   * The stored wall clock reading, while the wall clock is behind it: it is then unknown how long
   * the program was not running.
   */
  #unmeasuredSince: number | undefined;

  /**
   * @param kept the last stored readings, if any
   * @param lastRecordAt the newest record's timestamp; the clock never goes back before it
   */
  constructor(wall: Ticker, monotonic: Ticker, kept: ClockMark | undefined, lastRecordAt: number) {
    this.#wall = wall;
    this.#monotonic = monotonic;
    this.#anchorWall = Math.floor(wall.now());
    this.#anchorMonotonic = monotonic.now();
    // Once ahead of the wall clock, it stays ahead and counts the time the program was not running.
    // Otherwise a quiet period started before a jump back would last longer than 24 h.
    const asleep = kept === undefined ? 0 : Math.max(0, this.#anchorWall - kept.wall);
    const resumed = kept === undefined ? 0 : kept.highWater + asleep;
    this.#reading = Math.max(this.#anchorWall, resumed, lastRecordAt);
    this.#readAt = this.#anchorMonotonic;
    this.#passedAtAnchor = kept === undefined ? this.#anchorWall : kept.passed + asleep;
    this.#unmeasuredSince =
      kept !== undefined && kept.wall > this.#anchorWall ? kept.wall : undefined;
  }

  now(): number {
    const monotonic = this.#monotonic.now();
    const elapsed = Math.max(0, monotonic - this.#readAt);
    // The fraction stays in #reading, so that many quick readings do not lose time.
    this.#reading = Math.max(this.#wall.now(), this.#reading + elapsed);
    this.#readAt = Math.max(this.#readAt, monotonic);
    return Math.floor(this.#reading);
  }

  /** Milliseconds since the epoch, if the wall clock was right when the store was created. */
  safeNow(): number {
    const elapsed = Math.max(0, this.#monotonic.now() - this.#anchorMonotonic);
    this.#makeUpForSleep(elapsed);
    return Math.floor(this.#passedAtAnchor + elapsed);
  }

  /** Once the wall clock is correct again, it shows how long the program was not running. */
  #makeUpForSleep(elapsed: number): void {
    if (this.#unmeasuredSince === undefined) return;
    const asleep = this.#wall.now() - elapsed - this.#unmeasuredSince;
    if (asleep < 0) return;
    this.#passedAtAnchor += asleep;
    this.#unmeasuredSince = undefined;
  }

  mark(): ClockMark {
    return { highWater: this.now(), wall: Math.floor(this.#wall.now()), passed: this.safeNow() };
  }
}

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
export class ClockLeads implements CommitListener {
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

interface StoreState extends ClockMark {
  /** The log's last record at the time of writing. */
  readonly head: ChainHead;
}

interface StateRow {
  readonly clock_high_water: number;
  readonly clock_wall: number;
  readonly clock_passed: number;
  readonly head_seq: number;
  readonly head_hash: string;
}

/** The only row, which says how the store was last left. */
export class StoreStateTable {
  readonly #write: Statement<[number, number, number, number, number, string]>;
  readonly #read: Statement<[], StateRow>;

  constructor(db: Database) {
    this.#write = db.prepare(
      `INSERT INTO store_state (id, clean, clock_high_water, clock_wall, clock_passed, head_seq, head_hash)
       VALUES (1, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET clean = excluded.clean,
       clock_high_water = excluded.clock_high_water, clock_wall = excluded.clock_wall,
       clock_passed = excluded.clock_passed, head_seq = excluded.head_seq, head_hash = excluded.head_hash`,
    );
    this.#read = db.prepare(
      `SELECT clock_high_water, clock_wall, clock_passed, head_seq, head_hash
       FROM store_state`,
    );
  }

  /** `undefined` in a newly created store. */
  read(): StoreState | undefined {
    const row = this.#read.get();
    if (row === undefined) return undefined;
    if (!/^[0-9a-f]{64}$/.test(row.head_hash))
      throw storeError("store_corrupt", { details: "store_state" });
    return {
      highWater: row.clock_high_water,
      wall: row.clock_wall,
      passed: row.clock_passed,
      head: { seq: row.head_seq, hash: row.head_hash },
    };
  }

  /** Call it within a write. `clean` is true only as the last write before closing. */
  write(clean: boolean, state: StoreState): void {
    const { highWater, wall, passed, head } = state;
    this.#write.run(clean ? 1 : 0, highWater, wall, passed, head.seq, head.hash);
  }
}
