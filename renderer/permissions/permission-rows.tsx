import { type FormEvent, useState } from "react";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { hostText } from "../../app/contract/network-host.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { useConversationNames } from "../conversations/names.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentSaid, saysSomething } from "../parts/agent-said.tsx";
import { CallFold } from "../parts/fold.tsx";
import { PlainField } from "../parts/plain-field.tsx";
import { SensitivityBadge, scopeGroups, scopeName } from "../parts/scope-list.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { dateTime, timeLeft } from "../text/format.ts";
import { quietPeriodCovers } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { inFolders, type PermissionLine, PermissionLines } from "./permission-lines.tsx";

interface OfAgent {
  readonly agent: AgentDetails;
}

export function GrantRows({ agent }: OfAgent) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id } = agent;
  const granted = scopeGroups(
    agent.grants.filter(({ state }) => state === "granted"),
    ({ scope }) => scope.sensitivity,
  ).flatMap(([, grants]) => grants);
  const lines = granted.map(
    ({ scope }): PermissionLine => ({
      id: scope.id,
      testId: "grant-row",
      what: <VisibleText text={scopeLabel(language, scope)} />,
      beside: <SensitivityBadge level={scope.sensitivity} />,
      end: [
        t("permissions.revoke"),
        `revoke-${scope.id}`,
        t("permissions.revoke_scope", { scope: scopeName(language, scope) }),
      ],
      act: () => act("permissions.revoke_scope", { agent_id, scope: scope.id }),
    }),
  );
  const said = granted
    .map(({ scope }) => scope)
    .filter((scope) => saysSomething(scope.id, scope.said));
  return (
    <>
      <PermissionLines
        agent={agent}
        title={t("agents.grant_state.granted")}
        lines={lines}
        none={t("permissions.none_granted")}
      />
      {said.length === 0 ? null : (
        <CallFold title={t("permissions.said")} testId="permissions-said">
          {said.map((scope) => (
            <div key={scope.id}>
              <VisibleText text={scopeLabel(language, scope)} />
              <AgentSaid said={scope.said} scope={scope.id} />
            </div>
          ))}
        </CallFold>
      )}
    </>
  );
}

export function QuietPeriodRows({ agent }: OfAgent) {
  const { t, language } = useTexts();
  const act = useAct();
  const names = useConversationNames();
  const now = useNow(wallClock, 1000);
  if (agent.quiet_periods.length === 0) return null;
  const lines = agent.quiet_periods.map((period): PermissionLine => {
    const { agent_id, conversation_id, scope: id, subject, ends_at, project } = period;
    const scope = agent.grants.find((grant) => grant.scope.id === id)?.scope ?? { id };
    const left = ends_at - now;
    const isFile = subject.kind === "file" || subject.kind === "named_file";
    const conversation = names.get(conversation_id);
    return {
      id: `${conversation_id} ${id} ${JSON.stringify(subject)}`,
      testId: "quiet-period-row",
      data: { "data-scope": id },
      what: <VisibleText text={scopeLabel(language, scope)} />,
      about: quietPeriodCovers(t, {
        scope: id,
        subject: inFolders(agent, subject),
        ...(project !== undefined && { project }),
      }),
      path: "path" in subject ? subject.path : undefined,
      notes: [
        period.for_prompt
          ? t("permissions.until_prompt_ends")
          : left <= 0
            ? t("permissions.quiet_period_ended")
            : t("permissions.quiet_period_left", { time: timeLeft(language, left) }),
        ...(conversation === undefined ? [] : [conversation]),
      ],
      end: [t("permissions.end_quiet_period"), "end-quiet-period"],
      act: () =>
        act("permissions.end_quiet_period", { agent_id, conversation_id, scope: id, subject }),
      alike: isFile && `${conversation_id} ${id}`,
    };
  });
  return <PermissionLines agent={agent} title={t("permissions.quiet_periods")} lines={lines} />;
}

/** The hosts in the person's own network that one agent may reach, and a field to add another. */
export function HostRows({ agent }: { readonly agent: AgentDetails }) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id } = agent;
  const lines = agent.hosts.map(
    ({ host, port, added_at }): PermissionLine => ({
      id: hostText({ host, port }),
      testId: "host-row",
      what: <VisibleText text={hostText({ host, port })} />,
      notes: [t("permissions.rule_since", { date: dateTime(language, added_at) })],
      end: [
        t("app.remove"),
        "remove-host",
        t("permissions.remove_host_of", { host: visibleString(hostText({ host, port })) }),
      ],
      act: () => act("permissions.remove_host", { agent_id, host, port }),
    }),
  );
  return (
    <>
      <PermissionLines
        agent={agent}
        title={t("permissions.hosts")}
        lines={lines}
        none={t("permissions.no_hosts")}
      />
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
