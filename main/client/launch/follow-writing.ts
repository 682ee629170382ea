import type { Scheduler } from "../../../app/execution/ports.ts";
import type { Store } from "../../storage/index.ts";
import type { ClientProgram } from "../host-port.ts";

/** Pause between two attempts to write, ms. */
const AGAIN_MS = 2_000;

/**
 * Tells the person while nothing can be stored, and tries again until something can: nobody has to start
 * the program again. @returns ends it
 */
export function followWriting(
  store: Pick<Store, "isWritable" | "onWritable" | "tryWriting">,
  scheduler: Scheduler,
  program: Pick<ClientProgram, "notify" | "settle">,
): () => void {
  let cancel = () => {};
  let ended = false;
  const tryAgain = async () => {
    const isWritable = await store.tryWriting();
    if (!isWritable && !ended) cancel = scheduler.after(AGAIN_MS, tryAgain);
  };
  const tell = (isWritable: boolean) => {
    if (isWritable) {
      program.settle("store_unwritable");
    } else {
      program.notify({ code: "store_unwritable", params: {} });
      cancel = scheduler.after(AGAIN_MS, tryAgain);
    }
  };
  store.onWritable(tell);
  if (!store.isWritable()) tell(false);
  return () => {
    ended = true;
    cancel();
    store.onWritable(() => {});
  };
}
