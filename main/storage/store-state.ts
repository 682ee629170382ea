import type { Database, Statement } from "better-sqlite3";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import { StoreError } from "./store-error.ts";
import type { ClockMark } from "./trusted-clock.ts";

export interface StoreState extends ClockMark {
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
    if (!/^[0-9a-f]{64}$/.test(row.head_hash)) throw new StoreError("store_corrupt", "store_state");
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
