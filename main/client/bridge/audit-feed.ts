import type { ActivityRow } from "../../../app/bridge/views.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";

/** The UI hears of new lines this often at most, in milliseconds. */
const INTERVAL_MS = 100;
/** Of a flood, the newest lines are told; the page itself reads them all. */
const TOLD_AT_ONCE = 100;

export interface FeedPorts {
  readonly scheduler: Scheduler;
  readonly isHeard: () => boolean;
  readonly tell: (row: ActivityRow) => void;
}

/**
 * Takes each line of the log as it was written and tells the UI, a few times a second: what a
 * line last was, without reading anything and without making any call wait for it.
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
