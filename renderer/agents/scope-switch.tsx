import { useRef } from "react";
import type { AgentCard, GrantView } from "../../app/bridge/views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { OnOff } from "../parts/on-off.tsx";
import { ScopeText } from "../parts/scope-list.tsx";
import { grantedScopes } from "../screens/reconsent.tsx";
import { isLimited } from "./is-limited.ts";

interface ScopeSwitchProps {
  readonly agent: AgentCard;
  readonly grant: GrantView;
  /** While re-consent is pending, changing a scope here would answer it without asking. */
  readonly blocked: boolean;
}

export function ScopeSwitch({ agent, grant, blocked }: ScopeSwitchProps) {
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
