import { useMemo, useState } from "react";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { rowCount, rowOf } from "../activity/cursor-book.ts";
import { DigestCheck } from "../activity/digest-check.tsx";
import { ExportLog } from "../activity/export-log.tsx";
import { FilterBar } from "../activity/filter-bar.tsx";
import { LogCharts } from "../activity/log-charts.tsx";
import { type LogFilter, NO_FILTER, queryOf } from "../activity/log-filter.ts";
import { LogFoot } from "../activity/log-foot.tsx";
import { LogList } from "../activity/log-list.tsx";
import { NoLines } from "../activity/no-lines.tsx";
import { RowDetails } from "../activity/row-details.tsx";
import { useLog } from "../activity/use-log.ts";
import { useLogFilter } from "../activity/use-log-filter.ts";
import { useNarrow } from "../activity/use-narrow.ts";
import { useSummary } from "../activity/use-summary.ts";
import { VerifyLog } from "../activity/verify-log.tsx";
import { useTexts } from "../language.tsx";
import { wallClock } from "../parts/use-now.ts";

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
  const none = rowCount(state.book) === 0;
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
      {none && state.failure !== null ? null : <LogFoot session={session} state={state} />}
      <RowDetails
        row={opened && (rowOf(state.book, opened.line_id) ?? opened)}
        onClose={() => setOpened(null)}
        onNarrow={(part) => {
          setOpened(null);
          onFilter({ ...filter, ...part });
        }}
      />
    </>
  );
}
