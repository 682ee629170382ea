import type { Scheduler } from "../../../app/execution/ports.ts";
import type { Store } from "../../storage/index.ts";

const MINUTE_MS = 60_000;

/**
 * Stores the clock and purges what has expired: at once, for the time the program was not running,
 * and every minute (contract §6).
 */
export function maintainStore(
  store: Pick<Store, "maintain">,
  scheduler: Scheduler,
  report: (error: unknown) => void,
): () => void {
  let cancel = () => {};
  let stopped = false;
  const work = async () => {
    try {
      await store.maintain();
    } catch (error) {
      // The store was closed during a purge: the next start continues it.
      if (!stopped) report(error);
    }
    if (!stopped) cancel = scheduler.after(MINUTE_MS, work);
  };
  void work();
  return () => {
    stopped = true;
    cancel();
  };
}
