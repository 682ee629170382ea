import type { ActivityRow } from "../../../app/bridge/views.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";

/** Milliseconds between updates of the UI about new entries. */
const INTERVAL_MS = 100;
/** Entries per update: in a flood only the newest are sent, and the page reads the rest. */
const TOLD_AT_ONCE = 100;

export interface FeedPorts {
  readonly scheduler: Scheduler;
  readonly isHeard: () => boolean;
  readonly tell: (row: ActivityRow) => void;
}

/**
 * Collects log entries as they are written and sends the UI their latest state a few times a second,
 * without reading anything and without delaying any call.
 */
export function lineFeed(ports: FeedPorts): (line: ActivityRow) => void {
  const fresh = new Map<number, ActivityRow>();
  let waiting = false;

  const flush = () => {
    waiting = false;
    const lines = [...fresh.values()].slice(-TOLD_AT_ONCE);
    fresh.clear();
    if (ports.isHeard()) for (const line of lines) ports.tell(line);
  };
  return (line) => {
    if (!ports.isHeard()) return;
    fresh.delete(line.line_id);
    fresh.set(line.line_id, line);
    if (waiting) return;
    waiting = true;
    ports.scheduler.after(INTERVAL_MS, flush);
  };
}
