import type { ActivityCounts, ActivitySummary } from "../../app/bridge/views.ts";

/** The ends of a call, in the order that a bar stacks them from below. */
export const CHART_PARTS = ["ok", "denied", "error", "interrupted"] as const;
export type ChartPart = (typeof CHART_PARTS)[number];

export const DAY_MS = 86_400_000;
/** The log keeps 30 × 24 hours, which touch 31 days. */
const MOST_DAYS = 31;

export type ChartDay = ActivitySummary["days"][number];

const NO_CALLS: ActivityCounts = { ok: 0, denied: 0, error: 0, interrupted: 0 };

export const countOf = (counts: ActivityCounts): number =>
  CHART_PARTS.reduce((sum, part) => sum + counts[part], 0);

/** Every day from the first with calls to the last, those without calls too. */
export function chartDays(days: readonly ChartDay[]): readonly ChartDay[] {
  const last = days.at(-1)?.day;
  const first = days[0]?.day;
  if (first === undefined || last === undefined) return [];
  const known = new Map(days.map((each) => [each.day, each]));
  const length = Math.min(MOST_DAYS, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length }, (_, at) => {
    const day = last - (length - 1 - at) * DAY_MS;
    return known.get(day) ?? { day, ...NO_CALLS };
  });
}

/** Percent of the tallest bar, for each part that has calls. */
export const barParts = (
  counts: ActivityCounts,
  tallest: number,
): readonly { readonly part: ChartPart; readonly percent: number }[] =>
  CHART_PARTS.filter((part) => counts[part] > 0).map((part) => ({
    part,
    percent: tallest === 0 ? 0 : (100 * counts[part]) / tallest,
  }));
