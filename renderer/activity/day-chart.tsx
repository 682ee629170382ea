import { Button, Toolbar } from "react-aria-components";
import { callsOf } from "../../app/bridge/count-all.ts";
import { useTexts } from "../language.tsx";
import { dateFormat } from "../text/format.ts";
import { barParts, type ChartDay, chartDays, DAY_MS } from "./chart-days.ts";
import { CountTable } from "./count-table.tsx";
import type { TimeChoice } from "./log-filter.ts";

interface DayChartProps {
  readonly days: readonly ChartDay[];
  readonly onTime: (time: TimeChoice) => void;
}

/** Calls by day, as bars; pressing a day shows only that day. The host's days begin in UTC. */
export function DayChart({ days, onTime }: DayChartProps) {
  const { t, language } = useTexts();
  const drawn = chartDays(days);
  const tallest = Math.max(...drawn.map(callsOf), 0);
  const format = dateFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  return (
    <figure className="chart">
      <figcaption>{t("activity.by_day")}</figcaption>
      <Toolbar className="day-bars" aria-label={t("activity.by_day")}>
        {drawn.map((each) => (
          <Button
            className="day-bar"
            key={each.day}
            data-testid="activity-day"
            aria-label={t("activity.day_calls", {
              day: format.format(each.day),
              count: callsOf(each),
            })}
            onPress={() => onTime({ kind: "range", from: each.day, to: each.day + DAY_MS })}
          >
            {barParts(each, tallest).map(({ part, percent }) => (
              <span
                className={`chart-part chart-${part}`}
                key={part}
                style={{ height: `${percent}%` }}
              />
            ))}
          </Button>
        ))}
      </Toolbar>
      <CountTable
        name={t("activity.by_day")}
        rows={days.map((each) => ({
          ...each,
          id: String(each.day),
          name: format.format(each.day),
        }))}
      />
    </figure>
  );
}
