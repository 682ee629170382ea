import { onTestFinished, vi } from "vitest";

const RUN_MS = 120_000;

/** Replaces the clock of a run's time limit until the test ends. @returns what ends the two minutes */
export function heldTimeLimit(): () => void {
  const over = new AbortController();
  const timeout = AbortSignal.timeout;
  const spy = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((ms) => (ms === RUN_MS ? over.signal : timeout.call(AbortSignal, ms)));
  onTestFinished(() => spy.mockRestore());
  return () => over.abort(new DOMException("The time is over.", "TimeoutError"));
}
