import { NO_CALLS } from "../../app/bridge/count-all.ts";
import type { ActivityCounts, ActivitySummary } from "../../app/bridge/views.ts";
import { ENDINGS, type Ending } from "../../app/contract/tool-call.ts";

export const DAY_MS = 86_400_000;
/** The log keeps 30 × 24 hours, which can span 31 days. */
const MOST_DAYS = 31;

export type ChartDay = ActivitySummary["days"][number];

/** Every day from the first with calls to the last, including days without calls. */
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

/** The height of each part that has calls, in percent of the tallest bar; stacked from the bottom. */
export const barParts = (
  counts: ActivityCounts,
  tallest: number,
): readonly { readonly part: Ending; readonly percent: number }[] =>
  ENDINGS.filter((part) => counts[part] > 0).map((part) => ({
    part,
    percent: tallest === 0 ? 0 : (100 * counts[part]) / tallest,
  }));
