/** One shared number: how many entries a search has walked so far. */
export type WalkedEntries = Int32Array<SharedArrayBuffer>;

export const walkedEntries = (): WalkedEntries => new Int32Array(new SharedArrayBuffer(4));

/** Milliseconds between two checks of a search's progress. */
const LOOK_EVERY_MS = 250;

/** Calls `run` every `ms`, until the returned function is called. */
export type Every = (ms: number, run: () => void) => () => void;

/** Does not keep the program from ending. */
export const everySoOften: Every = (ms, run) => {
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
};

/**
 * Reports how many entries `work` has walked whenever that has changed, until it settles. The
 * search only counts, because a busy thread sends no messages.
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
