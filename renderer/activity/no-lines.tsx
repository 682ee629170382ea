import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { Empty } from "../parts/empty.tsx";
import { isWhole } from "./cursor-book.ts";
import { filterCount, type LogFilter, NO_FILTER } from "./log-filter.ts";
import type { LogState } from "./log-session.ts";

interface NoLinesProps {
  readonly state: LogState;
  readonly filter: LogFilter;
  readonly onFilter: (filter: LogFilter) => void;
}

/** An empty log, or a filter that nothing fits; while it is still being read, neither. */
export function NoLines({ state, filter, onFilter }: NoLinesProps) {
  const { t } = useTexts();
  if (!isWhole(state.book)) return <div className="log-waits" />;
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
