import { ENDINGS } from "../contract/tool-call.ts";
import type { ActivityCounts, ActivitySummary, SummaryStep } from "./views.ts";

export const NO_CALLS: ActivityCounts = {
  ok: 0,
  denied: 0,
  error: 0,
  cancelled: 0,
  interrupted: 0,
};
const NOTHING: ActivitySummary = { total: 0, days: [], agents: [] };

export interface Counting {
  /** Counts the stretch of the log before this number; null: from its newest line. */
  readonly step: (before: number | null) => Promise<SummaryStep>;
  /** What has been counted so far, after each step that others follow. */
  readonly onPart?: (part: ActivitySummary) => void;
  readonly signal?: AbortSignal;
}

/**
 * Counts a log stretch by stretch, so that whoever asked can stop, and no other question waits long.
 * @throws what `step` throws, or the signal's reason
 */
export async function countAll({
  step,
  onPart = () => {},
  signal,
}: Counting): Promise<ActivitySummary> {
  let summary = NOTHING;
  for (let before: number | null = null; ; ) {
    const { next_before_seq, ...counted }: SummaryStep = await step(before);
    signal?.throwIfAborted();
    summary = sumOf(summary, counted);
    if (next_before_seq === null) return summary;
    onPart(summary);
    before = next_before_seq;
  }
}

const sumOf = (one: ActivitySummary, other: ActivitySummary): ActivitySummary => ({
  total: one.total + other.total,
  days: added([...one.days, ...other.days], ({ day }) => day).sort((a, b) => a.day - b.day),
  agents: added([...one.agents, ...other.agents], ({ agent_id }) => agent_id).sort(
    (a, b) => callsOf(b) - callsOf(a) || (a.agent_id < b.agent_id ? -1 : 1),
  ),
});

function added<Row extends ActivityCounts>(rows: readonly Row[], keyOf: (row: Row) => unknown) {
  const sums = new Map<unknown, Row>();
  for (const row of rows) {
    const known = sums.get(keyOf(row));
    sums.set(keyOf(row), known === undefined ? row : { ...known, ...countsOf(known, row) });
  }
  return [...sums.values()];
}

const countsOf = (one: ActivityCounts, other: ActivityCounts): ActivityCounts => ({
  ok: one.ok + other.ok,
  denied: one.denied + other.denied,
  error: one.error + other.error,
  cancelled: one.cancelled + other.cancelled,
  interrupted: one.interrupted + other.interrupted,
});

/** However they ended. */
export const callsOf = (counts: ActivityCounts): number =>
  ENDINGS.reduce((sum, ending) => sum + counts[ending], 0);
