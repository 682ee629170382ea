/** One shared number: the entries that a search has walked so far. */
export type WalkedEntries = Int32Array<SharedArrayBuffer>;

export const walkedEntries = (): WalkedEntries => new Int32Array(new SharedArrayBuffer(4));

/** Milliseconds between two looks at how far a search has come. */
const LOOK_EVERY_MS = 250;

/** Calls `run` every `ms`, until the function that it gives is called. */
export type Every = (ms: number, run: () => void) => () => void;

/** Keeps no program from ending. */
export const everySoOften: Every = (ms, run) => {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
};

/**
 * Tells how many entries `work` has walked whenever that has changed, now and then until it has
 * settled. The search only counts: no message leaves it while it is busy.
 */
export async function whileWatched<T>(
  report: (entries: number) => void,
  every: Every,
  work: (walked: WalkedEntries) => Promise<T>,
): Promise<T> {
  const walked = walkedEntries();
  let told = 0;
  const end = every(LOOK_EVERY_MS, () => {
    const entries = Atomics.load(walked, 0);
    if (entries !== told) report(entries);
    told = entries;
  });
  try {
    return await work(walked);
  } finally {
    end();
  }
}
