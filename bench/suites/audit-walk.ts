import { join } from "node:path";
import Database from "better-sqlite3";
import type { Store } from "../../main/storage/index.ts";

/** As many lines as the activity page asks for at once. */
const LIMIT = 200;
/** Pages between two looks at the memory. */
const LOOK_AFTER = 100;
/** Pages before memory is held to anything: until then code is compiled and caches are filled. */
const WARM = 500;
const TELL_AFTER = 2_000;

export interface Walk {
  readonly lines: number;
  /** Outcomes in the log itself, which no read model was asked for. */
  readonly outcomes: number;
  readonly times: readonly number[];
  readonly seconds: number;
  /** Resident bytes: once warm, and the most and the last after that. */
  readonly memory: { readonly warm: number; readonly most: number; readonly last: number };
}

/**
 * Every page of the whole log, newest first, as scrolling asks for them.
 * @throws Error where a line is not older than the one before it, so that none comes twice
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
