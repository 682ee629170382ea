import { useRef } from "react";
import type { AgentCard } from "../../app/bridge/views.ts";
import { AgentKey } from "../keys/agent-key.tsx";
import { useTexts } from "../language.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { AgentState } from "../parts/agent-state.tsx";
import { NotAllowedNote } from "../parts/not-allowed-note.tsx";
import { scopeGroups } from "../parts/scope-list.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { Reconsent } from "../screens/reconsent.tsx";
import { AgentFacts } from "./agent-facts.tsx";
import { AgentMenu } from "./agent-menu.tsx";
import { ChangedNote } from "./changed-note.tsx";
import { ScopeSwitch } from "./scope-switch.tsx";
import { SuspendedNote } from "./suspended-note.tsx";

/** One agent: who it is, its status, what changed, and what it may do. */
export function AgentSection({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const label = useAgentLabel(agent.agent_id, agent.name);
  const section = useRef<HTMLElement>(null);
  useKeptFocus(section);
  const awaiting = agent.grants.filter((grant) => grant.state === "awaiting_reconsent");
  const settled = agent.grants.filter((grant) => grant.state !== "awaiting_reconsent");
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="card agent-card"
      data-testid="agent-card"
      data-agent-id={agent.agent_id}
      data-relation={agent.relation}
      aria-label={label}
    >
      <header className="section-head">
        <h2 className="identity-heading">
          <AgentIdentity {...agent} />
        </h2>
        <span className="agent-signs">
          <AgentState {...agent} />
          <AgentMenu agent={agent} />
        </span>
      </header>
      <NotAllowedNote of={agent} />
      <SuspendedNote agent={agent} />
      <AgentFacts agent={agent} />
      <AgentKey agentId={agent.agent_id} />
      {agent.changed_since_review ? <ChangedNote agent={agent} /> : null}
      {awaiting.length > 0 ? (
        <Reconsent
          agent={agent}
          key={[agent.manifest_version, ...awaiting.map(({ scope }) => scope.id)].join(" ")}
        />
      ) : null}
      <h3>{t("agents.may")}</h3>
      {agent.grants.length === 0 ? <p className="muted">{t("agents.no_scopes")}</p> : null}
      <div className="scope-picker">
        {scopeGroups(settled, (grant) => grant.scope.sensitivity).map(([level, grants]) => (
          <div className="scope-group" key={level}>
            {grants.map((grant) => (
              <ScopeSwitch
                agent={agent}
                grant={grant}
                blocked={
                  awaiting.length > 0 || agent.relation === "revoked" || agent.not_allowed === true
                }
                key={grant.scope.id}
              />
            ))}
          </div>
        ))}
      </div>
      {awaiting.length > 0 ? <p className="muted">{t("agents.reconsent_first")}</p> : null}
    </section>
  );
}
