import { Worker } from "node:worker_threads";
import type { Scheduler } from "../../app/execution/ports.ts";
import type { LockJob } from "./lock-worker.ts";
import { type BusPlace, sessionBusAddress, systemBusAddress } from "./message-bus.ts";

/**
 * How long the screen has been unlocked, in milliseconds: null while it is locked, Infinity where it
 * has not been, or where nothing tells.
 */
export type UnlockedMs = () => number | null;

export interface ScreenLockParts {
  /** `lock-worker.ts`, or what was built of it. */
  readonly workerUrl: URL;
  readonly scheduler: Scheduler;
  readonly os?: NodeJS.Platform;
  readonly env?: NodeJS.ProcessEnv;
  /** Stops watching when it aborts. */
  readonly signal: AbortSignal;
}

/** Milliseconds before a bus that is gone, or was not there, is tried again. */
export const RETRY_MS = 10_000;

const BUSES: Readonly<Record<LockJob["kind"], (place: BusPlace) => string | null>> = {
  system: systemBusAddress,
  session: sessionBusAddress,
};

/**
 * Watches the lock of the person's screen, on Linux and other free desktops: what logind says of
 * their session on the system's bus, and the screen savers on the session's.
 */
export function watchScreenLock(parts: ScreenLockParts): UnlockedMs {
  const { os = process.platform } = parts;
  const locked = { system: false, session: false };
  let unlockedAt = Number.NEGATIVE_INFINITY;
  if (os !== "darwin" && os !== "win32") {
    for (const kind of ["system", "session"] as const) {
      watchBus(kind, parts, (now) => {
        if (locked[kind] && !now) unlockedAt = performance.now();
        locked[kind] = now;
      });
    }
  }
  return () => (locked.system || locked.session ? null : performance.now() - unlockedAt);
}

/** While a bus cannot be asked, what was heard last on it counts; where it is gone, nothing does. */
function watchBus(
  kind: LockJob["kind"],
  parts: ScreenLockParts,
  tell: (locked: boolean) => void,
): void {
  const { workerUrl, scheduler, env = process.env, signal } = parts;
  let stop = (): void => {};
  signal.addEventListener("abort", () => stop(), { once: true });
  const retry = (): void => {
    if (!signal.aborted) stop = scheduler.after(RETRY_MS, start);
  };
  function start(): void {
    const address = BUSES[kind]({ env });
    if (address === null) {
      tell(false);
      retry();
      return;
    }
    const workerData: LockJob = { kind, address, uid: process.getuid?.() ?? 0 };
    // Its output is the package's own warnings, which may quote what a peer sent.
    const options = { workerData, env: {}, execArgv: [], stdout: true, stderr: true };
    const worker = new Worker(workerUrl, options);
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    worker.on("message", tell);
    worker.on("error", () => {});
    worker.once("exit", retry);
    stop = () => void worker.terminate();
  }
  start();
}
