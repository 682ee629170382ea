import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { Store } from "../../storage/index.ts";
import type { ClientProgram } from "../host-port.ts";

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

interface OwnMemory {
  /** Milliseconds of processor time that the process has used. */
  usedMs(): number;
  collect(): void;
  /** Ends threads that have had nothing to do since the last call. */
  rest(): void;
}

/** Whose threads can be started again at any time. */
interface Resting {
  /** Ends what has had nothing to do since the last call. */
  rest(): void;
}

const LOOK_MS = 30_000;
/** A program that waits uses less than this between two looks. */
const QUIET_MS = 600;

/**
 * What work left behind is given back to the system once the program is quiet. Engines collect when they
 * need room, and one that only waits never needs any: it would hold several times what it uses for as
 * long as the person's computer is on.
 */
export function giveMemoryBack(memory: OwnMemory, scheduler: Scheduler): () => void {
  let used = memory.usedMs();
  let hasWorked = true;
  const look = () => {
    memory.rest();
    const since = memory.usedMs() - used;
    if (since >= QUIET_MS) hasWorked = true;
    else if (hasWorked) {
      memory.collect();
      hasWorked = false;
    }
    // Collecting is no work of the program's.
    used = memory.usedMs();
    cancel = scheduler.after(LOOK_MS, look);
  };
  let cancel = scheduler.after(LOOK_MS, look);
  return () => cancel();
}

/** Of this process, with threads that end when they are not used. */
export function ownMemory(threads: readonly Resting[]): OwnMemory {
  let collect: (() => void) | undefined;
  return {
    usedMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    collect() {
      collect ??= collector();
      collect();
    },
    rest() {
      for (const each of threads) each.rest();
    },
  };
}

/**
 * Node has no call for it. Only the context made here sees the collector. As a last resort, it also returns
 * the pages that V8 would keep for what comes next.
 */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext('() => gc({ type: "major", execution: "sync", flavor: "last-resort" })');
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}
