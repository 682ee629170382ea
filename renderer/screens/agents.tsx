import { useState } from "react";
import type { AgentCard, GrantView } from "../../app/bridge/views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { OnlineState } from "../parts/online-state.tsx";
import { ScopeText, scopeGroups } from "../parts/scope-list.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { visibleString } from "../text/visible-text.ts";
import { NoAgents } from "./home.tsx";
import { Pairings } from "./pairing.tsx";
import { grantedScopes, Reconsent } from "./reconsent.tsx";

export function Agents() {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  return (
    <>
      <h1>{t("agents.title")}</h1>
      <p className="lede">{t("agents.lede")}</p>
      <Pairings />
      {agents.length === 0 ? <NoAgents /> : null}
      {agents.map((agent) => (
        <AgentSection agent={agent} key={agent.agent_id} />
      ))}
    </>
  );
}

function AgentSection({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const awaiting = agent.grants.filter((grant) => grant.state === "awaiting_reconsent");
  const settled = agent.grants.filter((grant) => grant.state !== "awaiting_reconsent");
  return (
    <section
      className="card agent-card"
      data-testid="agent-card"
      data-agent-id={agent.agent_id}
      aria-label={visibleString(agent.name)}
    >
      <header className="section-head">
        <AgentIdentity name={agent.name} fingerprint={agent.fingerprint} />
        <OnlineState online={agent.online} />
      </header>
      <p className="muted">
        {t("agents.version")} <VisibleText text={agent.agent_version} /> ·{" "}
        {t("agents.conversation")} <VisibleText text={agent.conversation_id} />
      </p>
      {agent.changed_since_review ? <ChangedNote agent={agent} /> : null}
      {awaiting.length > 0 ? (
        <Reconsent agent={agent} key={awaiting.map(({ scope }) => scope.id).join(" ")} />
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
                blocked={awaiting.length > 0}
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

function ChangedNote({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const { agent_id, manifest_version } = agent;
  const act = useAct();
  return (
    <div className="changed" data-testid="agent-changed">
      <div>
        <strong>{t("agents.changed")}</strong>
        <p>{t("agents.changed_body", { version: manifest_version })}</p>
      </div>
      <button
        type="button"
        data-testid="agent-mark-reviewed"
        onClick={() => void act("agents.mark_reviewed", { agent_id, manifest_version })}
      >
        {t("agents.mark_reviewed")}
      </button>
    </div>
  );
}

interface ScopeSwitchProps {
  readonly agent: AgentCard;
  readonly grant: GrantView;
  /** While a re-consent waits, setting the scopes would answer it unasked. */
  readonly blocked: boolean;
}

function ScopeSwitch({ agent, grant, blocked }: ScopeSwitchProps) {
  const { t } = useTexts();
  const act = useAct();
  const [sent, setSent] = useState(false);
  const granted = grant.state === "granted";
  const flip = async (): Promise<void> => {
    setSent(true);
    const others = grantedScopes(agent).filter((id) => id !== grant.scope.id);
    const granted_scopes = granted ? others : [...others, grant.scope.id];
    const { agent_id, manifest_version } = agent;
    await act("agents.set_scopes", { agent_id, manifest_version, granted_scopes });
    setSent(false);
  };
  return (
    <label className="scope-row">
      <input
        type="checkbox"
        role="switch"
        className="switch"
        data-testid={`agent-scope-${grant.scope.id}`}
        checked={granted}
        aria-checked={granted}
        disabled={sent || blocked}
        onChange={() => void flip()}
      />
      <ScopeText scope={grant.scope}>
        <span className="grant-state">{t(`agents.grant_state.${grant.state}`)}</span>
      </ScopeText>
    </label>
  );
}
