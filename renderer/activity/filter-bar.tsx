import { Button } from "react-aria-components";
import { ACTIVITY_STATUSES } from "../../app/bridge/views.ts";
import { DECIDED_BY } from "../../app/contract/tool-call.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
import { useAgentLabels } from "../text/agent-labels.ts";
import { agentOptions, scopeOptions, toolOptions } from "./filter-options.ts";
import { FilterSelect } from "./filter-select.tsx";
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
  const { t } = useTexts();
  const change = (part: Partial<LogFilter>): void => onChange({ ...filter, ...part });
  return (
    <search className="filters" aria-label={t("activity.filters_name")}>
      <FindField text={filter.find} onChange={(find) => change({ find })} />
      <SubjectFilters filter={filter} change={change} />
      <OutcomeFilters filter={filter} change={change} />
      <TimeFilter time={filter.time} onChange={(time) => change({ time })} />
      {filterCount(filter) === 0 ? null : (
        <Button className="quiet" data-testid="activity-clear" onPress={() => onChange(NO_FILTER)}>
          {t("activity.clear_filters")}
        </Button>
      )}
    </search>
  );
}

interface PartProps {
  readonly filter: LogFilter;
  readonly change: (part: Partial<LogFilter>) => void;
}

function SubjectFilters({ filter, change }: PartProps) {
  const { t, language } = useTexts();
  const { agents } = useSnapshot();
  const labels = useAgentLabels();
  return (
    <>
      <FilterSelect
        label={t("activity.agent")}
        all={t("activity.all_agents")}
        chosen={filter.agent_id}
        options={agentOptions(labels, filter.agent_id)}
        onChoose={(agent_id) => change({ agent_id })}
        testId="activity-filter-agent"
      />
      <FilterSelect
        label={t("activity.tool")}
        all={t("activity.all")}
        chosen={filter.tool_name}
        options={toolOptions(agents, language, filter.tool_name)}
        onChoose={(tool_name) => change({ tool_name })}
        testId="activity-filter-tool"
      />
      <FilterSelect
        label={t("activity.scope")}
        all={t("activity.all")}
        chosen={filter.scope}
        options={scopeOptions(agents, language, filter.scope)}
        onChoose={(scope) => change({ scope })}
        testId="activity-filter-scope"
      />
    </>
  );
}

function OutcomeFilters({ filter, change }: PartProps) {
  const { t } = useTexts();
  return (
    <>
      <FilterSelect
        label={t("activity.status")}
        all={t("activity.all")}
        chosen={filter.status}
        options={ACTIVITY_STATUSES.map((word) => ({ word, label: t(`status.${word}`) }))}
        onChoose={(status) => change({ status })}
        testId="activity-filter-status"
      />
      <FilterSelect
        label={t("activity.decided_by")}
        all={t("activity.all")}
        chosen={filter.decided_by}
        options={DECIDED_BY.map((word) => ({ word, label: t(`decided_by.${word}`) }))}
        onChoose={(decided_by) => change({ decided_by })}
        testId="activity-filter-rule"
      />
    </>
  );
}
