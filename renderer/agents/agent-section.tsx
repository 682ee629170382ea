import { useRef } from "react";
import type { AgentDetails, GrantView } from "../../app/bridge/agent-views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { useConversationName } from "../conversations/names.ts";
import { useAct } from "../host-context.tsx";
import { AgentKey } from "../keys/agent-key.tsx";
import { useTexts } from "../language.tsx";
import { AgentIdentity, AgentState } from "../parts/agent-identity.tsx";
import { Fact } from "../parts/fact.tsx";
import { isLimited, NotAllowedNote } from "../parts/policy-limits.tsx";
import { ScopeText, scopeGroups } from "../parts/scope-list.tsx";
import { OnOff } from "../parts/tick.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { useAgentLabel } from "../text/agent-labels.ts";
import { byteSize } from "../text/format.ts";
import { AgentMenu } from "./agent-menu.tsx";
import { ChangedNote } from "./changed-note.tsx";
import { HookWayField } from "./hook-way-field.tsx";
import { grantedScopes, Reconsent } from "./reconsent.tsx";
import { SuspendButton } from "./suspend-button.tsx";

interface AgentSectionProps {
  readonly agent: AgentDetails;
  /** On the card of a program that is named there. */
  readonly isPart?: boolean;
}

export function AgentSection({ agent, isPart = false }: AgentSectionProps) {
  const { t } = useTexts();
  const act = useAct();
  const label = useAgentLabel(agent.agent_id, agent.name);
  const section = useRef<HTMLElement>(null);
  useKeptFocus(section);
  const awaiting = agent.grants.filter((grant) => grant.state === "awaiting_reconsent");
  const settled = agent.grants.filter((grant) => grant.state !== "awaiting_reconsent");
  return (
    <section
      ref={section}
      tabIndex={-1}
      className={isPart ? "agent-section part" : "card agent-section"}
      data-testid="agent-section"
      data-agent-id={agent.agent_id}
      data-relation={agent.relation}
      aria-label={label}
    >
      <header className="section-head">
        {isPart ? (
          <h3>{t(`agents.delivery_is.${agent.delivery}`)}</h3>
        ) : (
          <h2 className="identity-heading">
            <AgentIdentity of={agent} always />
          </h2>
        )}
        <span className="agent-signs">
          <AgentState {...agent} />
          <AgentMenu agent={agent} />
        </span>
      </header>
      <NotAllowedNote of={agent} />
      <SuspendedNote agent={agent} />
      <AgentFacts agent={agent} />
      {agent.hook_way === null ? null : (
        <HookWayField
          way={agent.hook_way}
          onChange={(way) => void act("agents.set_hook_way", { agent_id: agent.agent_id, way })}
        />
      )}
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

function AgentFacts({ agent }: { readonly agent: AgentDetails }) {
  const { t, language } = useTexts();
  const conversation = useConversationName(agent.conversation_id ?? "");
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{t("agents.relation")}</dt>
          <dd>
            {t(`agents.relation_is.${agent.relation}`)}
            {/* Of a suspended one, and of one that is not allowed, the note above says it. */}
            {agent.relation === "suspended" || agent.not_allowed ? null : (
              <span className="muted"> {t(`agents.relation_means.${agent.relation}`)}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>{t("agents.delivery")}</dt>
          <dd data-testid="agent-delivery">
            {t(`agents.delivery_is.${agent.delivery}`)}
            <span className="muted"> {t(`agents.delivery_means.${agent.delivery}`)}</span>
          </dd>
        </div>
        <Fact name={t("agents.version")} text={agent.agent_version} />
        {agent.conversation_id === null ? null : (
          <Fact
            name={t("agents.conversation")}
            text={conversation}
            detail={agent.conversation_id}
          />
        )}
      </dl>
      {agent.manifest_bytes < LIMITS.manifestWarnBytes ? null : (
        <p className="caution">
          {t("agents.manifest_large", {
            size: byteSize(language, agent.manifest_bytes),
            usual: byteSize(language, LIMITS.manifestWarnBytes),
          })}
        </p>
      )}
    </>
  );
}

interface ScopeSwitchProps {
  readonly agent: AgentDetails;
  readonly grant: GrantView;
  /** While re-consent is pending, changing a scope here would answer it without asking. */
  readonly blocked: boolean;
}

function ScopeSwitch({ agent, grant, blocked }: ScopeSwitchProps) {
  const { t } = useTexts();
  const act = useAct();
  /** Not disabled meanwhile: the switch would lose the keyboard. */
  const sent = useRef(false);
  const granted = grant.state === "granted";
  const flip = async (): Promise<void> => {
    if (sent.current) return;
    sent.current = true;
    const others = grantedScopes(agent).filter((id) => id !== grant.scope.id);
    const granted_scopes = granted ? others : [...others, grant.scope.id];
    const { agent_id, manifest_version } = agent;
    await act("agents.set_scopes", { agent_id, manifest_version, granted_scopes });
    sent.current = false;
  };
  return (
    <OnOff
      className="scope-row"
      on={granted}
      onChange={() => void flip()}
      isDisabled={blocked || grant.scope.managed === "denied"}
      testId={`agent-scope-${grant.scope.id}`}
    >
      <ScopeText scope={grant.scope} limited={isLimited(agent)}>
        <span className="grant-state">{t(`agents.grant_state.${grant.state}`)}</span>
      </ScopeText>
    </OnOff>
  );
}

/** On a suspended agent's card: what that means, and the way back. */
function SuspendedNote({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  if (agent.relation !== "suspended") return null;
  return (
    <div className="suspended-note" role="status" data-testid="agent-suspended">
      <p>{t("agents.suspended_note")}</p>
      <SuspendButton agentId={agent.agent_id} onlyResume />
    </div>
  );
}
