import { useMemo, useState } from "react";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { wallClock } from "../parts/use-now.ts";
import { DigestCheck } from "./digest-check.tsx";
import { ExportLog } from "./export-log.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { LogCharts } from "./log-charts.tsx";
import { type LogFilter, NO_FILTER, queryOf } from "./log-filter.ts";
import { LogFoot } from "./log-foot.tsx";
import { LogList } from "./log-list.tsx";
import { NoLines } from "./no-lines.tsx";
import { RowDetails } from "./row-details.tsx";
import { useLog } from "./use-log.ts";
import { useLogFilter } from "./use-log-filter.ts";
import { useNarrow } from "./use-narrow.ts";
import { useSummary } from "./use-summary.ts";
import { VerifyLog } from "./verify-log.tsx";

export function Activity() {
  const { t } = useTexts();
  const [filter, setFilter] = useLogFilter();
  const narrow = useNarrow();
  return (
    <div className={narrow ? "activity activity-narrow" : "activity"}>
      <div className="section-head">
        <h1>{t("nav.activity")}</h1>
        <div className="activity-tools">
          <VerifyLog />
          <DigestCheck onFind={(find) => setFilter({ ...NO_FILTER, find })} />
          <ExportLog time={filter.time} />
        </div>
      </div>
      <p className="lede">{t("activity.lede")}</p>
      <FilterBar filter={filter} narrow={narrow} onChange={setFilter} />
      <FilteredLog filter={filter} narrow={narrow} onFilter={setFilter} />
    </div>
  );
}

interface FilteredLogProps {
  readonly filter: LogFilter;
  readonly narrow: boolean;
  readonly onFilter: (filter: LogFilter) => void;
}

function FilteredLog({ filter, narrow, onFilter }: FilteredLogProps) {
  // A preset's start is fixed when it is chosen; otherwise its pages would not match.
  const query = useMemo(() => queryOf(filter, wallClock()), [filter]);
  const { session, state } = useLog(query);
  const counted = useSummary(query);
  const [opened, setOpened] = useState<ActivityRow | null>(null);
  const none = state.rows.length === 0;
  if (session === null) return null;
  return (
    <>
      {counted === null || counted.summary.total === 0 ? null : (
        <LogCharts counted={counted} onTime={(time) => onFilter({ ...filter, time })} />
      )}
      {none ? (
        <NoLines session={session} state={state} filter={filter} onFilter={onFilter} />
      ) : null}
      {none ? null : <LogList session={session} state={state} narrow={narrow} onOpen={setOpened} />}
      {none && state.failure !== null ? null : (
        <LogFoot
          session={session}
          state={state}
          onOlder={(to) =>
            onFilter({ ...filter, time: { kind: "range", from: query.from ?? null, to } })
          }
        />
      )}
      <RowDetails
        row={opened && (state.rows.find(({ line_id }) => line_id === opened.line_id) ?? opened)}
        onClose={() => setOpened(null)}
        onNarrow={(part) => {
          setOpened(null);
          onFilter({ ...filter, ...part });
        }}
      />
    </>
  );
}
