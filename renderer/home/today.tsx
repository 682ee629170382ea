import { useMemo } from "react";
import { fragmentOf } from "../activity/filter-fragment.ts";
import { type LogFilter, NO_FILTER, queryOf } from "../activity/log-filter.ts";
import { useSummary } from "../activity/use-summary.ts";
import { useTexts } from "../language.tsx";
import { pageAddress } from "../page/page-address.ts";
import { useNow, wallClock } from "../parts/use-now.ts";
import { numberText } from "../text/format.ts";

const CALLS: LogFilter = { ...NO_FILTER, time: { kind: "today" } };
const ASKED: LogFilter = { ...CALLS, decided_by: "person" };
const DENIED: LogFilter = { ...CALLS, status: "denied" };
const MINUTE_MS = 60_000;

export function Today() {
  const { t } = useTexts();
  const day = new Date(useNow(wallClock, MINUTE_MS)).setHours(0, 0, 0, 0);
  return (
    <section className="card">
      <h2>{t("home.today")}</h2>
      <ul className="numbers">
        <DayCount filter={CALLS} day={day} name="calls" />
        <DayCount filter={ASKED} day={day} name="asked" />
        <DayCount filter={DENIED} day={day} name="denied" />
      </ul>
    </section>
  );
}

interface DayCountProps {
  readonly filter: LogFilter;
  /** Its beginning. */
  readonly day: number;
  readonly name: "calls" | "asked" | "denied";
}

function DayCount({ filter, day, name }: DayCountProps) {
  const { t, language } = useTexts();
  const counted = useSummary(useMemo(() => queryOf(filter, day), [filter, day]));
  const count = counted?.summary.total;
  return (
    <li>
      <a href={pageAddress("activity", fragmentOf(filter))} data-testid="today-number">
        <b>{count === undefined ? "–" : numberText(language, count)}</b>{" "}
        {t(`home.today_${name}`, { count: count ?? 0 })}
      </a>
    </li>
  );
}
