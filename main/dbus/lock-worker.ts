import { parentPort, workerData } from "node:worker_threads";
import { followLock, logindSource, screenSaverSources } from "./lock-sources.ts";
import { openBus } from "./open-bus.ts";

/** What the thread is started with. It answers with a boolean whenever the screen is locked or unlocked. */
export interface LockJob {
  readonly kind: "system" | "session";
  /** Of that bus, as D-Bus writes addresses. */
  readonly address: string;
  readonly uid: number;
}

/**
 * The thread that hears of the screen's lock on one bus. It ends with its connection, or when a peer
 * sends what the package cannot read; `screen-lock.ts` starts another one later.
 */
function follow({ kind, address, uid }: LockJob): void {
  const bus = openBus(address);
  const sources = kind === "system" ? [logindSource(bus, uid)] : screenSaverSources(bus);
  const locked = sources.map(() => false);
  sources.forEach((source, at) => {
    // Whoever cannot be asked any more has told what it knew.
    void followLock(source, (now) => {
      locked[at] = now;
      parentPort?.postMessage(locked.includes(true));
    });
  });
}

// Made by `screen-lock.ts`, which is typed by the same interface.
follow(workerData as LockJob);
