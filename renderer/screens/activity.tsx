import { useState } from "react";
import { useTexts } from "../language.tsx";
import { Empty } from "../parts/empty.tsx";
import { NO_FILTER } from "../state/activity-rows.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { ActivityTable } from "./activity-table.tsx";
import { useActivity } from "./use-activity.ts";
import { VerifyLog } from "./verify-log.tsx";

export function Activity() {
  const { t } = useTexts();
  const [filter, setFilter] = useState(NO_FILTER);
  const { rows, loading, more, loadMore } = useActivity(filter);
  const filtered = filter !== NO_FILTER;
  return (
    <>
      <div className="section-head">
        <h1>{t("activity.title")}</h1>
        <VerifyLog />
      </div>
      <p className="lede">{t("activity.lede")}</p>
      <ActivityFilters filter={filter} onChange={setFilter} />
      {rows.length > 0 ? <ActivityTable rows={rows} /> : null}
      {rows.length === 0 && loading ? <p role="status">{t("activity.loading")}</p> : null}
      {rows.length === 0 && !loading && filtered ? (
        <Empty
          icon="activity"
          title={t("activity.no_match_title")}
          body={t("activity.no_match_body")}
        >
          <button type="button" onClick={() => setFilter(NO_FILTER)}>
            {t("activity.clear_filters")}
          </button>
        </Empty>
      ) : null}
      {rows.length === 0 && !loading && !filtered ? (
        <Empty icon="activity" title={t("activity.empty_title")} body={t("activity.empty_body")} />
      ) : null}
      {more ? (
        <button
          type="button"
          className="load-more"
          data-testid="activity-more"
          disabled={loading}
          onClick={loadMore}
        >
          {loading ? t("activity.loading") : t("activity.load_more")}
        </button>
      ) : null}
    </>
  );
}
