import { join } from "node:path";
import Database from "better-sqlite3";
import type { Store } from "../../main/storage/index.ts";

/** As many lines as the activity page requests at once. */
const LIMIT = 200;
/** Pages between two memory readings. */
const LOOK_AFTER = 100;
/** Pages read before memory is checked: until then code is compiled and caches are filled. */
const WARM = 500;
const TELL_AFTER = 2_000;

export interface Walk {
  readonly lines: number;
  /** Number of outcomes, counted in the log itself without a read model. */
  readonly outcomes: number;
  readonly times: readonly number[];
  readonly seconds: number;
  /** Resident bytes: after warming up, then the maximum and the last value. */
  readonly memory: { readonly warm: number; readonly most: number; readonly last: number };
}

/**
 * Every page of the whole log, newest first, as when scrolling.
 * @throws Error if a line is not older than the one before it, so that duplicates are noticed
 */
export async function walkLog(
  store: Store,
  dataDir: string,
  say: (line: string) => void,
): Promise<Walk> {
  const outcomes = outcomesIn(dataDir);
  const times: number[] = [];
  const sizes: number[] = [];
  const began = performance.now();
  let lines = 0;
  let above = Number.POSITIVE_INFINITY;
  for (let before: number | null = null, first = true; first || before !== null; first = false) {
    const asked = performance.now();
    const page = await store.activity.page({ limit: LIMIT, before_seq: before });
    times.push(performance.now() - asked);
    for (const { seq } of page.rows) {
      if (seq >= above) throw new Error(`line ${seq} comes after ${above}`);
      above = seq;
    }
    lines += page.rows.length;
    before = page.next_before_seq;
    if (times.length >= WARM && times.length % LOOK_AFTER === 0) {
      sizes.push(process.memoryUsage().rss);
    }
    if (times.length % TELL_AFTER === 0) say(`${lines} of ${outcomes} lines walked`);
  }
  const [warm = 0] = sizes;
  return {
    lines,
    outcomes,
    times,
    seconds: (performance.now() - began) / 1_000,
    memory: { warm, most: Math.max(warm, ...sizes), last: sizes.at(-1) ?? 0 },
  };
}

function outcomesIn(dataDir: string): number {
  const db = new Database(join(dataDir, "consentry.db"), { readonly: true });
  try {
    const counted = db.prepare<[], number>("SELECT count(*) FROM audit_log WHERE kind = 'outcome'");
    return counted.pluck().get() ?? 0;
  } finally {
    db.close();
  }
}
