import type { ToolFailureWord } from "../../../app/contract/codes.ts";
import { ToolFailure, ToolUnavailable } from "../../../app/execution/ports.ts";

/**
 * Runs a service of the host and turns its errors into codes: `cancelled` once the signal has
 * aborted (at once, even if the host never answers), a coded failure as it is, anything else as
 * `word`.
 * @throws ToolFailure, ToolUnavailable
 */
export async function platformCall<T>(
  word: ToolFailureWord,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new ToolFailure("cancelled");
  const over = new AbortController();
  try {
    // Listens first: `work` may be what aborts the signal.
    const aborted = whenAborted(signal, over.signal);
    // Otherwise the rejection would be unhandled if `work` threw first.
    aborted.catch(() => {});
    return await Promise.race([work(), aborted]);
  } catch (error) {
    if (signal.aborted) throw new ToolFailure("cancelled");
    throw isCoded(error) ? error : new ToolFailure(word);
  } finally {
    over.abort("over");
  }
}

/**
 * The service, or `no_provider`: it may have gone since the tool was found available.
 * @throws ToolUnavailable
 */
export function provided<T>(service: T | null): T {
  if (service === null) throw new ToolUnavailable("no_provider");
  return service;
}

const isCoded = (error: unknown): boolean =>
  error instanceof ToolFailure || error instanceof ToolUnavailable;

function whenAborted(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new ToolFailure("cancelled"));
    signal.addEventListener("abort", fail, { once: true, signal: over });
  });
}
