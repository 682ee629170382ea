import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { Empty, ReadFailure } from "../parts/empty.tsx";
import { filterCount, type LogFilter, NO_FILTER } from "./log-filter.ts";
import type { LogSession, LogState } from "./log-session.ts";

interface NoLinesProps {
  readonly session: LogSession;
  readonly state: LogState;
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

/**
 * Shown instead of lines: the log is empty, nothing matches the filter, or reading failed. Nothing
 * while it is still being read.
 */
export function NoLines({ session, state, filter, onFilter }: NoLinesProps) {
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
