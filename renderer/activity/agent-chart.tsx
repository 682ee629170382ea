import { callsOf } from "../../app/bridge/count-all.ts";
import type { ActivitySummary } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { labelOf, labelPartsOf, useAgentLabels } from "../text/agent-labels.ts";
import { barParts } from "./chart-days.ts";
import { CountTable } from "./count-table.tsx";

const MOST_AGENTS = 5;

/** Calls by agent, most first; the table lists all of them. */
export function AgentChart({ agents }: Pick<ActivitySummary, "agents">) {
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
            <span className="agent-bar-name">
              <VisibleText text={each.label.name} />
            </span>
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
