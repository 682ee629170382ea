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
