import { useRef } from "react";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { ConfirmButton } from "../parts/dialogs.tsx";
import { isLimited, NotAllowedNote } from "../parts/policy-limits.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { RuleRows } from "../rules/rule-rows.tsx";
import { useAgentLabel } from "../text/agent-labels.ts";
import { GrantRows, HostRows, QuietPeriodRows } from "./permission-rows.tsx";
import { RootRows } from "./root-rows.tsx";

interface AgentPermissionsProps {
  readonly agent: AgentDetails;
  /** On the card of a program that is named there. */
  readonly isPart?: boolean;
  /** `agent` contains only what was searched for, so empty lists mean nothing. */
  readonly partial: boolean;
}

export function AgentPermissions({ agent, partial, isPart = false }: AgentPermissionsProps) {
  const { t } = useTexts();
  const label = useAgentLabel(agent.agent_id, agent.name);
  const section = useRef<HTMLElement>(null);
  const limited = isLimited(agent);
  useKeptFocus(section);
  return (
    <section
      ref={section}
      tabIndex={-1}
      className={isPart ? "part" : "card"}
      aria-label={label}
      data-testid="permissions-agent"
      data-agent-id={agent.agent_id}
    >
      <header className="section-head">
        {isPart ? (
          <h3>{t(`agents.delivery_is.${agent.delivery}`)}</h3>
        ) : (
          <h2 className="identity-heading">
            <AgentIdentity of={agent} />
          </h2>
        )}
        <RevokeAgent agent_id={agent.agent_id} label={label} />
      </header>
      <NotAllowedNote of={agent} />
      {partial && agent.grants.length === 0 ? null : <GrantRows agent={agent} />}
      <QuietPeriodRows agent={agent} />
      <RuleRows agent={agent} partial={partial} />
      {limited && !(partial && agent.roots.length === 0) ? <RootRows agent={agent} /> : null}
      {limited && !(partial && agent.hosts.length === 0) ? <HostRows agent={agent} /> : null}
    </section>
  );
}

function RevokeAgent({ agent_id, label }: Readonly<{ agent_id: string; label: string }>) {
  const { t } = useTexts();
  const act = useAct();
  return (
    <ConfirmButton
      className="danger"
      testId="revoke-agent"
      title={t("permissions.revoke_agent_ask", { agent: label })}
      body={t("permissions.revoke_agent_body")}
      confirm={t("permissions.revoke_all_confirm")}
      onConfirm={() => void act("permissions.revoke_agent", { agent_id })}
    >
      {t("permissions.revoke_agent")}
    </ConfirmButton>
  );
}
