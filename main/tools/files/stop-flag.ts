import { ToolFailure } from "../../../app/execution/ports.ts";

/** Shared numbers, mostly one: once it is not 0, the work that watches it ends with `cancelled`. */
export type StopFlag = Int32Array<SharedArrayBuffer>;

export const stopFlag = (numbers = 1): StopFlag =>
  new Int32Array(new SharedArrayBuffer(4 * numbers));

/** The signal as a shared number, because a busy worker receives no messages. */
export async function withStopFlag<T>(
  signal: AbortSignal,
  work: (stop: StopFlag) => Promise<T>,
): Promise<T> {
  const stop = stopFlag();
  const onAbort = (): void => void Atomics.store(stop, 0, 1);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await work(stop);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** @throws ToolFailure `cancelled` */
export function throwIfStopped(stop: StopFlag, place = 0): void {
  if (Atomics.load(stop, place) !== 0) throw new ToolFailure("cancelled");
}

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
