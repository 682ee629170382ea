import { Button, Toolbar } from "react-aria-components";
import { callsOf } from "../../app/bridge/count-all.ts";
import type { ActivitySummary } from "../../app/bridge/views.ts";
import { ENDINGS } from "../../app/contract/tool-call.ts";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { labelOf, labelPartsOf, useAgentLabels } from "../text/agent-labels.ts";
import { dateFormat } from "../text/format.ts";
import { barParts, type ChartDay, chartDays, DAY_MS } from "./chart-days.ts";
import { CountTable } from "./count-table.tsx";
import type { TimeChoice } from "./log-filter.ts";
import type { Counted } from "./use-summary.ts";

interface LogChartsProps {
  readonly counted: Counted;
  readonly onTime: (time: TimeChoice) => void;
}

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

interface DayChartProps {
  readonly days: readonly ChartDay[];
  readonly onTime: (time: TimeChoice) => void;
}

/** Calls by day, as bars; pressing a day shows only that day. The host's days begin in UTC. */
function DayChart({ days, onTime }: DayChartProps) {
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

const MOST_AGENTS = 5;

/** Calls by agent, most first; the table lists all of them. */
function AgentChart({ agents }: Pick<ActivitySummary, "agents">) {
  const { t, language } = useTexts();
  const labels = useAgentLabels();
  const named = agents.map((each) => ({
    ...each,
    id: each.agent_id,
    name: labelOf(labels, each.agent_id, each.agent_name),
    label: labelPartsOf(labels, each.agent_id, each.agent_name),
  }));
  const most = Math.max(...named.map(callsOf), 0);
  return (
    <figure className="chart">
      <figcaption>{t("activity.by_agent")}</figcaption>
      <ul className="agent-bars" aria-hidden="true">
        {named.slice(0, MOST_AGENTS).map((each) => (
          <li key={each.id}>
            <VisibleText within="span" className="agent-bar-name" text={each.label.name} />
            <span className="agent-bar">
              {barParts(each, most).map(({ part, percent }) => (
                <span
                  className={`chart-part chart-${part}`}
                  key={part}
                  style={{ width: `${percent}%` }}
                />
              ))}
            </span>
            <span className="agent-bar-count muted">{callsOf(each).toLocaleString(language)}</span>
            {each.label.key === null ? null : <span className="fingerprint">{each.label.key}</span>}
          </li>
        ))}
      </ul>
      <CountTable name={t("activity.by_agent")} rows={named} />
    </figure>
  );
}
