import { useState } from "react";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ScopePicker, useScopeChoice } from "../parts/scope-picker.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";

export const grantedScopes = (agent: AgentCard): readonly string[] =>
  agent.grants.filter(({ state }) => state === "granted").map(({ scope }) => scope.id);

/** The question of contract §7: the scopes named by the hub count as not granted until it is answered. */
export function Reconsent({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const act = useAct();
  const label = useAgentLabel(agent.agent_id, agent.name);
  const [sent, setSent] = useState(false);
  const scopes = agent.grants
    .filter(({ state }) => state === "awaiting_reconsent")
    .map(({ scope }) => scope);
  const choice = useScopeChoice(scopes);
  const answer = async (allowed: readonly string[]): Promise<void> => {
    setSent(true);
    await act("agents.set_scopes", {
      agent_id: agent.agent_id,
      manifest_version: agent.manifest_version,
      granted_scopes: [...grantedScopes(agent), ...allowed],
    });
    setSent(false);
  };
  return (
    <div className="reconsent" data-testid="reconsent">
      <ScopePicker
        scopes={scopes}
        choice={choice}
        testPrefix="reconsent-scope"
        legend={t("agents.reconsent_title", { agent: label })}
      />
      <p className="muted">{t("agents.reconsent_body")}</p>
      <div className="button-row">
        <button
          type="button"
          data-testid="reconsent-refuse"
          disabled={sent}
          onClick={() => void answer([])}
        >
          {t("agents.reconsent_refuse")}
        </button>
        <button
          type="button"
          className="primary"
          data-testid="reconsent-allow"
          disabled={sent || choice.chosen.size === 0}
          onClick={() => void answer([...choice.chosen])}
        >
          {t("agents.reconsent_allow")}
        </button>
      </div>
    </div>
  );
}
