import { useId } from "react";
import { LIMITS } from "../../app/contract/limits.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { type ActivityFilter, NO_FILTER } from "../state/activity-rows.ts";
import { visibleString } from "../text/visible-text.ts";

const STATUSES = ["running", "ok", "denied", "error"] as const;

interface ActivityFiltersProps {
  readonly filter: ActivityFilter;
  readonly onChange: (filter: ActivityFilter) => void;
}

export function ActivityFilters({ filter, onChange }: ActivityFiltersProps) {
  const { t } = useTexts();
  const id = useId();
  const { agents } = useSnapshot();
  const change = (part: Partial<ActivityFilter>): void => {
    const next = { ...filter, ...part };
    const none = next.agent_id === null && next.status === null && next.call_id === "";
    onChange(none ? NO_FILTER : next);
  };
  return (
    <search className="filters">
      <label htmlFor={`${id}-agent`}>{t("activity.filter_agent")}</label>
      <select
        id={`${id}-agent`}
        data-testid="activity-filter-agent"
        value={filter.agent_id ?? ""}
        onChange={(event) => change({ agent_id: event.target.value || null })}
      >
        <option value="">{t("activity.all_agents")}</option>
        {agents.map((agent) => (
          <option value={agent.agent_id} key={agent.agent_id}>
            {visibleString(agent.name)}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-status`}>{t("activity.filter_status")}</label>
      <select
        id={`${id}-status`}
        data-testid="activity-filter-status"
        value={filter.status ?? ""}
        onChange={(event) =>
          change({ status: STATUSES.find((each) => each === event.target.value) ?? null })
        }
      >
        <option value="">{t("activity.all_statuses")}</option>
        {STATUSES.map((status) => (
          <option value={status} key={status}>
            {t(`status.${status}`)}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-call`}>{t("activity.filter_call")}</label>
      <input
        id={`${id}-call`}
        type="search"
        className="mono"
        data-testid="activity-filter-call"
        spellCheck={false}
        autoComplete="off"
        maxLength={LIMITS.callIdChars}
        value={filter.call_id}
        onChange={(event) => change({ call_id: event.target.value.trim() })}
      />
    </search>
  );
}
