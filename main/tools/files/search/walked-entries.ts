/** One shared number: how many entries a search has walked so far. */
export type WalkedEntries = Int32Array<SharedArrayBuffer>;

export const walkedEntries = (): WalkedEntries => new Int32Array(new SharedArrayBuffer(4));

/** Milliseconds between two checks of a search's progress. */
const LOOK_EVERY_MS = 250;

/**
 * Reports how many entries `work` has walked whenever that has changed, until it settles. The
 * search only counts, because a busy thread sends no messages.
 */
export async function whileWatched<T>(
  report: (entries: number) => void,
  work: (walked: WalkedEntries) => Promise<T>,
): Promise<T> {
  const walked = walkedEntries();
  let told = 0;
  const timer = setInterval(() => {
    const entries = Atomics.load(walked, 0);
    if (entries !== told) report(entries);
    told = entries;
  }, LOOK_EVERY_MS).unref();
  try {
    return await work(walked);
  } finally {
    clearInterval(timer);
  }
}
