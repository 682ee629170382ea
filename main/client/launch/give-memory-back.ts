import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Scheduler } from "../../../app/execution/ports.ts";

export interface OwnMemory {
  /** Milliseconds of processor time that the process has used. */
  usedMs(): number;
  collect(): void;
  /** Ends threads that have had nothing to do since the last call. */
  rest(): void;
}

/** Whose threads can be started again at any time. */
export interface Resting {
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
