import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { ownToolName } from "../../app/contract/catalogue.ts";
import { ANYTHING } from "../../app/contract/rule.ts";
import { useAct, useAgent } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageAddress } from "../page/page-address.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { dateTime } from "../text/format.ts";
import { quietPeriodCovers, ruleAbout } from "../text/rule-words.ts";
import { type LogFilter, NO_FILTER } from "./log-filter.ts";

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
      return <WhyLow {...props} />;
    default:
      return null;
  }
}

/** What needs no asking as long as it is given; a rule can have it asked all the same. */
function WhyLow({ row }: WhyProps) {
  const { t, language, gap } = useTexts();
  const act = useAct();
  const agent = useAgent(row.agent_id);
  const covers = ownToolName(row.tool_name);
  const asks = { covers, subject: ANYTHING, effect: "ask", time: "always" } as const;
  const isAsked = agent?.rules.some(
    (rule) => rule.covers === covers && rule.effect === "ask" && rule.subject.kind === "anything",
  );
  return (
    <>
      <p>
        {row.given_at === null
          ? null
          : t("activity.why_permitted", { time: dateTime(language, row.given_at) }) + gap}
        {t("activity.why_low") + gap}
        <a href={pageAddress("permissions", "")}>{t("nav.permissions")}</a>
      </p>
      {isAsked === true ? <p className="muted">{t("activity.why_asked_now")}</p> : null}
      {isAsked === false ? (
        <div className="button-row">
          <Button
            data-testid="why-ask-again"
            onPress={() => void act("rules.add", { agent_id: row.agent_id, ...asks })}
          >
            {t("permissions.end_quiet_period")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function WhyWindow({ row, onNarrow }: WhyProps) {
  const { t, language } = useTexts();
  const act = useAct();
  const period = useAgent(row.agent_id)?.quiet_periods.find(
    ({ conversation_id, scope, opened_at, made_on }) =>
      conversation_id === row.conversation_id &&
      scope === row.scope &&
      opened_at === row.given_at &&
      made_on === row.given_on,
  );
  if (period === undefined) return <Gone row={row} kind="window" onNarrow={onNarrow} />;
  const { agent_id, conversation_id, scope, subject, opened_at } = period;
  return (
    <DecisionRow
      testId="why-window"
      what={quietPeriodCovers(t, period)}
      given={t("activity.why_given.window", { time: dateTime(language, opened_at) })}
      made={period}
      onEnd={() =>
        void act("permissions.end_quiet_period", { agent_id, conversation_id, scope, subject })
      }
      onNarrow={onNarrow}
    />
  );
}

function WhyRule({ row, onNarrow }: WhyProps) {
  const { t, language } = useTexts();
  const act = useAct();
  const rule = useAgent(row.agent_id)?.rules.find(({ rule_id }) => rule_id === row.rule_id);
  if (rule === undefined) return <Gone row={row} kind="rule" onNarrow={onNarrow} />;
  const { agent_id, rule_id, effect, made_at } = rule;
  return (
    <DecisionRow
      testId="why-rule"
      what={`${t(`rules.effect.${effect}`)}: ${ruleAbout(t, rule)}`}
      given={t("activity.why_given.rule", { time: dateTime(language, made_at) })}
      made={rule}
      onEnd={() => void act("rules.remove", { agent_id, rule_id })}
      onNarrow={onNarrow}
    />
  );
}

interface GoneProps extends WhyProps {
  readonly kind: "window" | "rule";
}

/** Its words were deleted with it: what is left is what the log says. */
function Gone({ row, kind, onNarrow }: GoneProps) {
  const { t, language } = useTexts();
  const { agent_id, given_at, given_on } = row;
  if (given_at === null) return <p className="muted">{t("activity.why_not_noted")}</p>;
  return (
    <DecisionRow
      testId="why-gone"
      what={t(`activity.why_gone.${kind}`)}
      given={t(`activity.why_given.${kind}`, { time: dateTime(language, given_at) })}
      made={{ agent_id, made_on: given_on }}
      onEnd={null}
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
  /** Null: it is over. */
  readonly onEnd: (() => void) | null;
}

function DecisionRow({ testId, what, given, made, onEnd, onNarrow }: DecisionRowProps) {
  const { t } = useTexts();
  const { agent_id, made_on } = made;
  return (
    <div className="rows">
      <div className="row" data-testid={testId}>
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
          {onEnd === null ? null : (
            <Button data-testid="why-ask-again" onPress={onEnd}>
              {t("permissions.end_quiet_period")}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
