import type { Scheduler } from "../../app/execution/ports.ts";

/** Time as the program is given it, so that a test can bring its own. */
export interface TimeSource {
  /** Milliseconds since the epoch, as the system says. */
  readonly wall: { now(): number };
  /** Milliseconds that only ever grow. */
  readonly monotonic: { now(): number };
  /** The same, and counts while the machine sleeps; absent: it never does. */
  readonly sleepAware?: { now(): number };
  readonly scheduler: Scheduler;
}
