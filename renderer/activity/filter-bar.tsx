import { Button } from "react-aria-components";
import { ACTIVITY_STATUSES } from "../../app/bridge/views.ts";
import { DECIDED_BY } from "../../app/contract/tool-call.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
import { useAgentLabels } from "../text/agent-labels.ts";
import { agentOptions, scopeOptions, toolOptions } from "./filter-options.ts";
import { type FilterOption, FilterSelect } from "./filter-select.tsx";
import { FindField } from "./find-field.tsx";
import { filterCount, type LogFilter, NO_FILTER } from "./log-filter.ts";
import { TimeFilter } from "./time-filter.tsx";

interface FilterProps {
  readonly filter: LogFilter;
  readonly onChange: (filter: LogFilter) => void;
}

/** Everything that filters the log; folded where there is little room. */
export function FilterBar({ narrow, ...props }: FilterProps & { readonly narrow: boolean }) {
  const { t } = useTexts();
  const count = filterCount(props.filter);
  if (!narrow) return <Filters {...props} />;
  return (
    <Fold
      title={count === 0 ? t("activity.filters_name") : t("activity.filters", { count })}
      level={2}
      testId="activity-filters"
    >
      <Filters {...props} />
    </Fold>
  );
}

function Filters({ filter, onChange }: FilterProps) {
  const { t, language } = useTexts();
  const { agents } = useSnapshot();
  const labels = useAgentLabels();
  const change = (part: Partial<LogFilter>): void => onChange({ ...filter, ...part });
  const { agent_id, tool_name, scope } = filter;
  const choices = [
    ["agent_id", "agent", agentOptions(labels, agent_id)],
    ["tool_name", "tool", toolOptions(agents, language, tool_name)],
    ["scope", "scope", scopeOptions(agents, language, scope)],
    ["status", "status", ACTIVITY_STATUSES.map((word) => ({ word, label: t(`status.${word}`) }))],
    ["decided_by", "rule", DECIDED_BY.map((word) => ({ word, label: t(`decided_by.${word}`) }))],
  ] as const satisfies readonly (readonly [
    keyof LogFilter,
    string,
    readonly FilterOption<string>[],
  ])[];
  return (
    <search className="filters" aria-label={t("activity.filters_name")}>
      <FindField text={filter.find} onChange={(find) => change({ find })} />
      {choices.map(([part, name, options]) => (
        <FilterSelect<string>
          key={part}
          label={t(`activity.${name === "rule" ? "decided_by" : name}`)}
          all={t(name === "agent" ? "activity.all_agents" : "activity.all")}
          chosen={filter[part]}
          options={options}
          onChoose={(word) => change({ [part]: word })}
          testId={`activity-filter-${name}`}
        />
      ))}
      <TimeFilter time={filter.time} onChange={(time) => change({ time })} />
      {filterCount(filter) === 0 ? null : (
        <Button className="quiet" data-testid="activity-clear" onPress={() => onChange(NO_FILTER)}>
          {t("activity.clear_filters")}
        </Button>
      )}
    </search>
  );
}
