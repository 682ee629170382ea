import { type FormEvent, useState } from "react";
import type { AgentDetails, QuietPeriodView } from "../../app/bridge/agent-views.ts";
import { hostText } from "../../app/contract/network-host.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { useConversationName } from "../conversations/names.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentSaid } from "../parts/agent-said.tsx";
import { PlainField } from "../parts/plain-field.tsx";
import { SensitivityBadge, scopeGroups, scopeName } from "../parts/scope-list.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { dateTime, timeLeft } from "../text/format.ts";
import { quietPeriodCovers } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";

interface OfAgent {
  readonly agent: AgentDetails;
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

/** The hosts in the person's own network that one agent may reach, and a field to add another. */
export function HostRows({ agent }: { readonly agent: AgentDetails }) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id } = agent;
  return (
    <>
      <h3>{t("permissions.hosts")}</h3>
      {agent.hosts.length === 0 ? <p className="muted">{t("permissions.no_hosts")}</p> : null}
      <ul className="rows">
        {agent.hosts.map(({ host, port, added_at }) => (
          <li className="row permission-row" key={hostText({ host, port })} data-testid="host-row">
            <span className="grow mono">
              <VisibleText text={hostText({ host, port })} />
            </span>
            <span className="muted nowrap">
              {t("permissions.rule_since", { date: dateTime(language, added_at) })}
            </span>
            <button
              type="button"
              data-testid="remove-host"
              aria-label={t("permissions.remove_host_of", {
                host: visibleString(hostText({ host, port })),
              })}
              onClick={() => void act("permissions.remove_host", { agent_id, host, port })}
            >
              {t("app.remove")}
            </button>
          </li>
        ))}
      </ul>
      <AddHost agent_id={agent_id} />
    </>
  );
}

function AddHost({ agent_id }: { readonly agent_id: string }) {
  const { t } = useTexts();
  const act = useAct();
  const [host, setHost] = useState("");
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await act("permissions.add_host", { agent_id, host })) setHost("");
  };
  return (
    <form className="inline-form" onSubmit={(event) => void add(event)}>
      <PlainField
        label={t("permissions.add_host_label")}
        testId="add-host-name"
        value={host}
        onChange={setHost}
      />
      <button type="submit" data-testid="add-host" disabled={host.trim() === ""}>
        {t("permissions.add_host")}
      </button>
      <p className="muted form-note">{t("permissions.add_host_help")}</p>
    </form>
  );
}
