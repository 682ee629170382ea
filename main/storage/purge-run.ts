import { setTimeout as pause } from "node:timers/promises";
import type { GroupCommit } from "./group-commit.ts";
import type { Ticker } from "./trusted-clock.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** How long opening may spend on expired records, in ms; the rest is purged while calls run. */
const OPENING_MS = 500;
/**
 * Records purged before the write-ahead log is folded: a slice or two. What the disk must keep in one go
 * is what a call's commit may have to wait behind.
 */
const STRETCH = 100;
/** Records whose pages are read ahead: the next stretch, and the slice that may go beyond it. */
const READ_AHEAD = 250;
/** The longest rest between two stretches, ms. */
const REST_MAX_MS = 1_000;

export interface PurgeRunParts {
  readonly group: GroupCommit;
  readonly wal: WriteAheadLog;
  /** Within a write: purges some records and returns their number; 0: nothing expired is left. */
  readonly slice: () => number;
  readonly monotonic: Ticker;
}

/** Purges everything expired in slices, so that no call waits for more than one slice. */
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
    wal.emptyAfterNow(purged);
  }

  /** @returns the number of records purged */
  async besideCalls(): Promise<number> {
    const { wal, monotonic } = this.#parts;
    let purged = 0;
    for (let removed = STRETCH; removed >= STRETCH; ) {
      const began = monotonic.now();
      removed = await this.#stretch();
      purged += removed;
      if (removed > 0) await wal.fold();
      // Most of the time a minute's few records are all there is, and nothing follows them.
      if (removed < STRETCH) continue;
      await wal.warm(READ_AHEAD);
      // Leaves the disk to calls for as long again: the slower it is, the longer.
      await pause(Math.min(REST_MAX_MS, monotonic.now() - began));
    }
    await wal.emptyAfter(purged);
    return purged;
  }

  /** @returns records that went; fewer than a stretch has: there are no more */
  async #stretch(): Promise<number> {
    const { group, slice } = this.#parts;
    let purged = 0;
    for (let removed = 1; removed > 0 && purged < STRETCH; purged += removed) {
      removed = await group.enqueueYielding(slice);
    }
    return purged;
  }
}
