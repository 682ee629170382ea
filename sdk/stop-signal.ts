import type { AgentClock } from "./clock.ts";

export interface StopSignal {
  readonly signal: AbortSignal;
  /** Why to stop; `undefined` while there is no reason to. */
  readonly reason: "aborted" | "expired" | undefined;
  release(): void;
}

/** Combines the caller's signal and time limit. */
export function stopSignal(
  clock: AgentClock,
  { signal, timeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
): StopSignal {
  const controller = new AbortController();
  let reason: StopSignal["reason"];
  const stop = (why: "aborted" | "expired") => {
    reason ??= why;
    controller.abort();
  };
  const onAbort = () => stop("aborted");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const cancel = timeoutMs === undefined ? () => {} : clock.after(timeoutMs, () => stop("expired"));
  return {
    signal: controller.signal,
    get reason() {
      return reason;
    },
    release() {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export async function pause(clock: AgentClock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = () => {
      cancel();
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = clock.after(ms, wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}
