import { ENDINGS } from "../../app/contract/tool-call.ts";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
import { AgentChart } from "./agent-chart.tsx";
import { DayChart } from "./day-chart.tsx";
import type { TimeChoice } from "./log-filter.ts";
import type { Counted } from "./use-summary.ts";

interface LogChartsProps {
  readonly counted: Counted;
  readonly onTime: (time: TimeChoice) => void;
}

/** How many calls match the filter, by day and by agent. */
export function LogCharts({ counted, onTime }: LogChartsProps) {
  const { t, language } = useTexts();
  const { summary, whole } = counted;
  const count = summary.total;
  const words = whole ? "activity.calls" : "activity.calls_so_far";
  return (
    <Fold
      title={t(words, { count, total: count.toLocaleString(language) })}
      level={2}
      className="charts"
      testId="activity-charts"
    >
      <div className="chart-row">
        <DayChart days={summary.days} onTime={onTime} />
        <AgentChart agents={summary.agents} />
      </div>
      <ul className="chart-legend" aria-hidden="true">
        {ENDINGS.map((part) => (
          <li key={part}>
            <span className={`chart-part chart-${part}`} />
            {t(`status.${part}`)}
          </li>
        ))}
      </ul>
    </Fold>
  );
}
