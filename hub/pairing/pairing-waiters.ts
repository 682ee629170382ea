import type { Scheduler } from "../hub-options.ts";

const WAITERS_AT_MOST = 4;

/** Agents that wait here for the answer to their pairing. */
export class PairingWaiters {
  readonly #scheduler: Scheduler;
  readonly #byPairing = new Map<string, Set<(isSettled: boolean) => void>>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** @returns whether the state changed before `ms` had passed and the client had gone */
  settled(pairingId: string, ms: number, signal: AbortSignal): Promise<boolean> {
    const waiters = this.#byPairing.get(pairingId) ?? new Set();
    this.#byPairing.set(pairingId, waiters);
    const [oldest] = waiters;
    if (waiters.size >= WAITERS_AT_MOST) oldest?.(false);
    return new Promise((resolve) => {
      const gone = (): void => wake(false);
      const wake = (isSettled: boolean): void => {
        cancel();
        waiters.delete(wake);
        if (waiters.size === 0) this.#byPairing.delete(pairingId);
        signal.removeEventListener("abort", gone);
        resolve(isSettled);
      };
      const cancel = this.#scheduler.after(ms, gone);
      waiters.add(wake);
      signal.addEventListener("abort", gone);
    });
  }

  wake(pairingId: string): void {
    for (const wake of [...(this.#byPairing.get(pairingId) ?? [])]) wake(true);
  }

  wakeAll(): void {
    for (const pairingId of [...this.#byPairing.keys()]) this.wake(pairingId);
  }
}
