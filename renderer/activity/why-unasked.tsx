import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import type { ActivityRow, QuietPeriodView, RuleView } from "../../app/bridge/views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageAddress } from "../page-address.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { dateTime } from "../text/format-time.ts";
import { quietPeriodCovers } from "../text/quiet-period-covers.ts";
import { ruleAbout } from "../text/rule-words.ts";
import { type LogFilter, NO_FILTER } from "./log-filter.ts";
import { periodsBehind, rulesBehind } from "./periods-behind.ts";

interface WhyProps {
  readonly row: ActivityRow;
  /** Filters the log, and closes the details. */
  readonly onNarrow: (part: Partial<LogFilter>) => void;
}

/** Why the person was not asked about a call, and how to be asked again. */
export function WhyUnasked({ row, onNarrow }: WhyProps) {
  const { t } = useTexts();
  const why = reasonFor({ row, onNarrow });
  return why === null ? null : (
    <section className="why-unasked" data-testid="why-unasked">
      <h3>{t("activity.why_unasked")}</h3>
      {why}
    </section>
  );
}

function reasonFor(props: WhyProps): ReactNode {
  switch (props.row.decided_by) {
    case "window":
      return <WhyWindow {...props} />;
    case "rule":
    case "standing_rule":
      return <WhyRule {...props} />;
    case "silent_low":
      return <WhyLow />;
    default:
      return null;
  }
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
  const periods = periodsBehind(row, useAgentOf(row)?.quiet_periods ?? []);
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

function WhyRule({ row, onNarrow }: WhyProps) {
  const { t } = useTexts();
  const rules = rulesBehind(row, useAgentOf(row)?.rules ?? []);
  if (rules.length === 0) return <p className="muted">{t("activity.why_rule_gone")}</p>;
  return (
    <>
      {rules.length === 1 ? null : <p>{t("activity.why_one_rule_of")}</p>}
      <ul className="rows">
        {rules.map((rule) => (
          <RuleRow rule={rule} onNarrow={onNarrow} key={rule.rule_id} />
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
  const { agent_id, conversation_id, scope, subject, opened_at } = period;
  return (
    <DecisionRow
      testId="why-window"
      what={quietPeriodCovers(t, period)}
      given={t("activity.why_given", { time: dateTime(language, opened_at) })}
      made={period}
      onEnd={() =>
        void act("permissions.end_quiet_period", { agent_id, conversation_id, scope, subject })
      }
      onNarrow={onNarrow}
    />
  );
}

interface RuleRowProps extends Pick<WhyProps, "onNarrow"> {
  readonly rule: RuleView;
}

function RuleRow({ rule, onNarrow }: RuleRowProps) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id, rule_id, effect, subject, made_at } = rule;
  return (
    <DecisionRow
      testId="why-rule"
      what={`${t(`rules.effect.${effect}`)}: ${ruleAbout(t, subject)}`}
      given={t("activity.why_ruled", { time: dateTime(language, made_at) })}
      made={rule}
      onEnd={() => void act("rules.remove", { agent_id, rule_id })}
      onNarrow={onNarrow}
    />
  );
}

interface DecisionRowProps extends Pick<WhyProps, "onNarrow"> {
  readonly testId: string;
  readonly what: string;
  readonly given: string;
  /** Of which agent, and on which call; null: by hand. */
  readonly made: { readonly agent_id: string; readonly made_on: string | null };
  readonly onEnd: () => void;
}

function DecisionRow({ testId, what, given, made, onEnd, onNarrow }: DecisionRowProps) {
  const { t } = useTexts();
  const { agent_id, made_on } = made;
  return (
    <li className="row" data-testid={testId}>
      <span className="grow">
        <VisibleText text={what} />
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
        <Button data-testid="why-ask-again" onPress={onEnd}>
          {t("permissions.end_quiet_period")}
        </Button>
      </div>
    </li>
  );
}

function useAgentOf({ agent_id }: ActivityRow) {
  const { agents } = useSnapshot();
  return agents.find((agent) => agent.agent_id === agent_id);
}
