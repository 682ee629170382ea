import { Button } from "react-aria-components";
import type { ActivityRow, QuietPeriodView } from "../../app/bridge/views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageAddress } from "../page-address.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { dateTime } from "../text/format-time.ts";
import { quietPeriodCovers } from "../text/quiet-period-covers.ts";
import { type LogFilter, NO_FILTER } from "./log-filter.ts";
import { periodsBehind } from "./periods-behind.ts";

interface WhyProps {
  readonly row: ActivityRow;
  /** Filters the log, and closes the details. */
  readonly onNarrow: (part: Partial<LogFilter>) => void;
}

/** Why the person was not asked about a call, and how to be asked again. */
export function WhyUnasked({ row, onNarrow }: WhyProps) {
  const { t } = useTexts();
  if (row.decided_by !== "window" && row.decided_by !== "silent_low") return null;
  return (
    <section className="why-unasked" data-testid="why-unasked">
      <h3>{t("activity.why_unasked")}</h3>
      {row.decided_by === "window" ? <WhyWindow row={row} onNarrow={onNarrow} /> : <WhyLow />}
    </section>
  );
}

function WhyLow() {
  const { t } = useTexts();
  return (
    <p>
      {t("activity.why_low")} <a href={pageAddress("permissions", "")}>{t("permissions.title")}</a>
    </p>
  );
}

function WhyWindow({ row, onNarrow }: WhyProps) {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const agent = agents.find(({ agent_id }) => agent_id === row.agent_id);
  const periods = periodsBehind(row, agent?.quiet_periods ?? []);
  if (periods.length === 0) return <p className="muted">{t("activity.why_ended")}</p>;
  return (
    <>
      {periods.length === 1 ? null : <p>{t("activity.why_one_of")}</p>}
      <ul className="rows">
        {periods.map((period) => (
          <WindowRow period={period} onNarrow={onNarrow} key={JSON.stringify(period.subject)} />
        ))}
      </ul>
    </>
  );
}

interface WindowRowProps extends Pick<WhyProps, "onNarrow"> {
  readonly period: QuietPeriodView;
}

function WindowRow({ period, onNarrow }: WindowRowProps) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id, conversation_id, scope, subject, opened_at, made_on } = period;
  const given = t("activity.why_given", { time: dateTime(language, opened_at) });
  return (
    <li className="row" data-testid="why-window">
      <span className="grow">
        <VisibleText text={quietPeriodCovers(t, period)} />
        <span className="muted">{given}</span>
      </span>
      <div className="button-row">
        {made_on === null ? null : (
          <Button
            className="quiet"
            data-testid="why-given"
            onPress={() => onNarrow({ ...NO_FILTER, agent_id, find: made_on })}
          >
            {t("activity.why_show")}
          </Button>
        )}
        <Button
          data-testid="why-ask-again"
          onPress={() =>
            void act("permissions.end_quiet_period", { agent_id, conversation_id, scope, subject })
          }
        >
          {t("permissions.end_quiet_period")}
        </Button>
      </div>
    </li>
  );
}
