import { useCallback, useEffect, useMemo, useState } from "react";
import { Button } from "react-aria-components";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { useHost, useReconnected } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageAddress, pageOf, pageQuery } from "../page/page-address.ts";
import { Empty, ReadFailure } from "../parts/empty.tsx";
import { wallClock } from "../parts/use-now.ts";
import { DigestCheck } from "./digest-check.tsx";
import { ExportLog } from "./export-log.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { filterOf, fragmentOf } from "./filter-fragment.ts";
import { LogCharts } from "./log-charts.tsx";
import { filterCount, type LogFilter, type LogQuery, NO_FILTER, queryOf } from "./log-filter.ts";
import { LogFoot } from "./log-foot.tsx";
import { LogList } from "./log-list.tsx";
import { LogSession, type LogState, UNREAD_LOG } from "./log-session.ts";
import { RowDetails } from "./row-details.tsx";
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

const inAddress = (): LogFilter => filterOf(pageQuery(window.location.hash));

/** The filter, also in the address: a reload keeps it, and other pages link to it. */
function useLogFilter(): readonly [LogFilter, (filter: LogFilter) => void] {
  const [filter, setFilter] = useState(inAddress);
  useEffect(() => {
    const end = new AbortController();
    const follow = (): void => {
      if (pageOf(window.location.hash) === "activity") setFilter(inAddress());
    };
    window.addEventListener("hashchange", follow, { signal: end.signal });
    return () => end.abort();
  }, []);
  const change = useCallback((next: LogFilter): void => {
    setFilter(next);
    window.history.replaceState(null, "", pageAddress("activity", fragmentOf(next)));
  }, []);
  return [filter, change];
}

interface OpenLog {
  /** Null until the first session is open. */
  readonly session: LogSession | null;
  readonly state: LogState;
}

const NOT_OPEN = createStore(() => UNREAD_LOG);

function useLog(query: LogQuery): OpenLog {
  const { bridge } = useHost();
  const [session, setSession] = useState<LogSession | null>(null);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const opened = new LogSession(
      {
        page: (args) => bridge.call("activity.page", args),
        after: (delay_ms, task) => setTimeout(task, delay_ms),
        signal,
      },
      query,
    );
    bridge.on("activity.changed", (row) => opened.accept(row), signal);
    const onVisible = () => opened.setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", onVisible, { signal });
    opened.start();
    setSession(opened);
    return () => end.abort();
  }, [bridge, query]);
  // What happened without a connection was not reported.
  useReconnected(() => session?.catchUp());
  const state = useStore(session?.store ?? NOT_OPEN);
  return { session, state };
}

interface NoLinesProps {
  readonly session: LogSession;
  readonly state: LogState;
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

/** Instead of lines: the log is empty, nothing matches the filter, or reading failed. */
function NoLines({ session, state, filter, onFilter }: NoLinesProps) {
  const { t } = useTexts();
  if (state.failure !== null) {
    return (
      <div className="log-waits">
        <ReadFailure code={state.failure} onRetry={() => session.resume()} />
      </div>
    );
  }
  if (state.next !== null) return <div className="log-waits" />;
  if (filterCount(filter) === 0) {
    return (
      <Empty icon="activity" title={t("activity.empty_title")} body={t("activity.empty_body")} />
    );
  }
  return (
    <Empty icon="activity" title={t("activity.no_match_title")} body={t("activity.no_match_body")}>
      <Button data-testid="activity-clear-empty" onPress={() => onFilter(NO_FILTER)}>
        {t("activity.clear_filters")}
      </Button>
    </Empty>
  );
}
