import type { Scheduler } from "../../app/execution/ports.ts";
import type { Store } from "../storage/index.ts";

const MINUTE_MS = 60_000;
const MINUTES_BETWEEN_PURGES = 60;

/** Keeps the clock's mark fresh every minute and purges what has expired every hour. */
export function maintainStore(
  store: Store,
  scheduler: Scheduler,
  report: (error: unknown) => void,
): () => void {
  let cancel = () => {};
  let minutes = 0;
  const next = () => {
    cancel = scheduler.after(MINUTE_MS, () => {
      minutes += 1;
      const purges = minutes % MINUTES_BETWEEN_PURGES === 0;
      const work: Promise<unknown> = purges ? store.maintain() : store.tick();
      void work.catch(report).finally(next);
    });
  };
  next();
  return () => cancel();
}
