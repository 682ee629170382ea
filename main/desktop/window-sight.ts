import type { BrowserWindow, PowerMonitor } from "electron";
import type { UnlockedMs } from "../dbus/screen-lock.ts";

export interface SightParts {
  readonly window: Pick<BrowserWindow, "isDestroyed" | "isMinimized" | "isVisible" | "on">;
  readonly powerMonitor: Pick<PowerMonitor, "getSystemIdleState" | "off" | "on">;
  /** What the system's buses say about the screen lock; Electron has another source. */
  readonly unlockedMs: UnlockedMs;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Listening stops when it aborts. */
  readonly signal: AbortSignal;
}

/** Electron asks for a number of seconds without input; only a locked screen matters here. */
const IDLE_SECONDS = 1;

/**
 * How long a window has been in sight (in milliseconds; null: it is not), as far as the system
 * tells the program: shown, not minimised, and the screen not locked. Only the page learns whether
 * it is covered. Not every system reports when the screen is unlocked, so calling this while it is
 * locked counts too.
 */
export function watchSight(parts: SightParts): () => number | null {
  const { window, powerMonitor, unlockedMs, now, signal } = parts;
  let since = now();
  const appeared = (): void => {
    since = now();
  };
  window.on("show", appeared);
  window.on("restore", appeared);
  powerMonitor.on("unlock-screen", appeared);
  signal.addEventListener("abort", () => powerMonitor.off("unlock-screen", appeared), {
    once: true,
  });
  return () => {
    const inSight =
      !window.isDestroyed() &&
      window.isVisible() &&
      !window.isMinimized() &&
      powerMonitor.getSystemIdleState(IDLE_SECONDS) !== "locked";
    if (!inSight) appeared();
    const unlocked = unlockedMs();
    return inSight && unlocked !== null ? Math.min(now() - since, unlocked) : null;
  };
}
