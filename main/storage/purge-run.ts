import { setTimeout as pause } from "node:timers/promises";
import type { GroupCommit } from "./group-commit.ts";
import type { Ticker } from "./stored-clock.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** How long opening may spend on expired records, in ms; the rest is purged while calls run. */
const OPENING_MS = 500;
/** Records purged before a pause: a slice or two. */
const STRETCH = 100;
/** The longest pause between two stretches, in ms. */
const REST_MAX_MS = 1_000;

export interface PurgeRunParts {
  readonly group: GroupCommit;
  readonly wal: WriteAheadLog;
  /**
   * Call it within a write: purges some records and returns their number; 0: nothing expired is
   * left.
   */
  readonly slice: () => number;
  readonly monotonic: Ticker;
}

/** Purges everything expired in slices, so that no call waits longer than for one slice. */
export class PurgeRun {
  readonly #parts: PurgeRunParts;

  constructor(parts: PurgeRunParts) {
    this.#parts = parts;
  }

  atOpening(): void {
    const { group, wal, slice, monotonic } = this.#parts;
    const began = monotonic.now();
    let purged = 0;
    let removed: number;
    do {
      removed = group.runNow(slice);
      purged += removed;
    } while (removed > 0 && monotonic.now() - began < OPENING_MS);
    wal.emptyAfter(purged);
  }

  /** @returns the number of records purged */
  async besideCalls(): Promise<number> {
    const { wal, monotonic } = this.#parts;
    let purged = 0;
    for (let removed = STRETCH; removed >= STRETCH; ) {
      const began = monotonic.now();
      removed = await this.#stretch();
      purged += removed;
      // Usually a minute's few records are all there is, and none follow.
      if (removed < STRETCH) continue;
      // Leaves the disk to calls for the same time: the slower the disk, the longer.
      await pause(Math.min(REST_MAX_MS, monotonic.now() - began));
    }
    wal.emptyAfter(purged);
    return purged;
  }

  /** @returns the number of records purged; fewer than a stretch means that none are left */
  async #stretch(): Promise<number> {
    const { group, slice } = this.#parts;
    let purged = 0;
    for (let removed = 1; removed > 0 && purged < STRETCH; purged += removed) {
      removed = await group.enqueueYielding(slice);
    }
    return purged;
  }
}
