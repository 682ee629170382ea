import type { AgentCard, QuietPeriodView } from "../../app/bridge/views.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { useConversationName } from "../conversations/use-conversation-names.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentSaid } from "../parts/agent-said.tsx";
import { scopeGroups, scopeName } from "../parts/scope-list.tsx";
import { SensitivityBadge } from "../parts/sensitivity-badge.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { timeLeft } from "../text/format-time.ts";
import { quietPeriodCovers } from "../text/quiet-period-covers.ts";

interface OfAgent {
  readonly agent: AgentCard;
}

export function GrantRows({ agent }: OfAgent) {
  const { t, language } = useTexts();
  const act = useAct();
  const granted = scopeGroups(
    agent.grants.filter(({ state }) => state === "granted"),
    ({ scope }) => scope.sensitivity,
  ).flatMap(([, grants]) => grants);
  return (
    <>
      <h3>{t("agents.grant_state.granted")}</h3>
      {granted.length === 0 ? <p className="muted">{t("permissions.none_granted")}</p> : null}
      <ul className="rows">
        {granted.map(({ scope }) => (
          <li className="row permission-row" key={scope.id} data-testid="grant-row">
            <span className="grow">
              <VisibleText text={scopeLabel(language, scope)} />
            </span>
            <SensitivityBadge level={scope.sensitivity} />
            <button
              type="button"
              data-testid={`revoke-${scope.id}`}
              aria-label={t("permissions.revoke_scope", { scope: scopeName(language, scope) })}
              onClick={() =>
                void act("permissions.revoke_scope", { agent_id: agent.agent_id, scope: scope.id })
              }
            >
              {t("permissions.revoke")}
            </button>
            <AgentSaid said={scope.said} scope={scope.id} />
          </li>
        ))}
      </ul>
    </>
  );
}

export function QuietPeriodRows({ agent }: OfAgent) {
  const { t } = useTexts();
  if (agent.quiet_periods.length === 0) return null;
  return (
    <>
      <h3>{t("permissions.quiet_periods")}</h3>
      <ul className="rows">
        {agent.quiet_periods.map((period) => (
          <QuietPeriodRow
            agent={agent}
            period={period}
            key={`${period.conversation_id} ${period.scope} ${JSON.stringify(period.subject)}`}
          />
        ))}
      </ul>
    </>
  );
}

function QuietPeriodRow({ agent, period }: OfAgent & { readonly period: QuietPeriodView }) {
  const { t, language } = useTexts();
  const act = useAct();
  const conversation = useConversationName(period.conversation_id);
  const left = period.ends_at - useNow(wallClock, 1000);
  const scope = agent.grants.find((grant) => grant.scope.id === period.scope)?.scope;
  return (
    <li
      className="row permission-row quiet-row"
      data-testid="quiet-period-row"
      data-scope={period.scope}
    >
      <span className="grow">
        <VisibleText text={scope === undefined ? period.scope : scopeLabel(language, scope)} />
        <span className="muted" data-testid="quiet-period-covers">
          <VisibleText text={quietPeriodCovers(t, period)} />
        </span>
        <span className="muted">
          <VisibleText text={conversation} />
        </span>
      </span>
      <span className="muted nowrap">
        {left <= 0
          ? t("permissions.quiet_period_ended")
          : t("permissions.quiet_period_left", { time: timeLeft(language, left) })}
      </span>
      <button
        type="button"
        data-testid="end-quiet-period"
        onClick={() =>
          void act("permissions.end_quiet_period", {
            agent_id: period.agent_id,
            conversation_id: period.conversation_id,
            scope: period.scope,
            subject: period.subject,
          })
        }
      >
        {t("permissions.end_quiet_period")}
      </button>
    </li>
  );
}
