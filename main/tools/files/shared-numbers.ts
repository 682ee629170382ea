import { toolFailure } from "../../../app/execution/ports.ts";

/** Numbers that both threads see, mostly one: a busy thread neither receives nor sends messages. */
export type SharedNumbers = Int32Array<SharedArrayBuffer>;

export const sharedNumbers = (numbers = 1): SharedNumbers =>
  new Int32Array(new SharedArrayBuffer(4 * numbers));

/** The signal as a shared number: once it is not 0, the work that watches it ends with `cancelled`. */
export async function withStopFlag<T>(
  signal: AbortSignal,
  work: (stop: SharedNumbers) => Promise<T>,
): Promise<T> {
  const stop = sharedNumbers();
  const onAbort = (): void => void Atomics.store(stop, 0, 1);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await work(stop);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** @throws ToolFailure `cancelled` */
export function throwIfStopped(stop: SharedNumbers, place = 0): void {
  if (Atomics.load(stop, place) !== 0) throw toolFailure("cancelled");
}

/** Milliseconds between two checks of a search's progress. */
const LOOK_EVERY_MS = 250;

/**
 * Reports how many entries `work` has walked whenever that has changed, until it settles.
 */
export async function whileWatched<T>(
  report: (entries: number) => void,
  work: (walked: SharedNumbers) => Promise<T>,
): Promise<T> {
  const walked = sharedNumbers();
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
