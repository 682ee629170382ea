import { useState } from "react";
import { Button } from "react-aria-components";
import type { AgentDetails, GrantView, ScopeView } from "../../app/bridge/agent-views.ts";
import type { BreakingKind } from "../../app/contract/manifest.ts";
import { SENSITIVITIES } from "../../app/contract/scopes.ts";
import { toolLabel } from "../../i18n/index.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { isLimited } from "../parts/policy-limits.tsx";
import { ScopePicker, useScopeChoice } from "../parts/scope-picker.tsx";
import { useAgentLabel } from "../text/agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";

export const grantedScopes = (agent: AgentDetails): readonly string[] =>
  agent.grants.filter(({ state }) => state === "granted").map(({ scope }) => scope.id);

type Declared = GrantView["declared"] | undefined;

const isLowered = (declared: Declared): boolean =>
  declared != null &&
  SENSITIVITIES.indexOf(declared.after) < SENSITIVITIES.indexOf(declared.before);

/** A permission that the agent now declares more or less sensitive than when the person agreed. */
function DeclaredNote({
  scope,
  declared,
}: {
  readonly scope: ScopeView;
  readonly declared: Declared;
}) {
  const { t } = useTexts();
  if (declared == null) return null;
  const before = t(`sensitivity.${declared.before}`);
  const after = t(`sensitivity.${declared.after}`);
  const present = t(`sensitivity.${scope.sensitivity}`);
  return (
    <span className="needed" data-testid="reconsent-declared">
      {declared.after === scope.sensitivity
        ? t("agents.declared_would_be", { before, after })
        : t("agents.declared_stays", { before, after, present })}
    </span>
  );
}

/** Why the hub holds a permission back, also if the agent has taken the change back meanwhile. */
function Reasons({ reasons }: Pick<GrantView, "reasons">) {
  const { t, language } = useTexts();
  if (reasons.length === 0) return null;
  const shown = reasons.slice(0, REASONS_SHOWN);
  return (
    <span className="reconsent-reasons" data-testid="reconsent-reasons">
      {t("agents.reconsent_reasons")}
      {shown.map(({ kind, tool }) => (
        <span key={`${kind} ${tool}`}>
          {t(`agents.reconsent_reason.${reasonOf(kind, tool)}`, {
            tool: visibleString(toolLabel(language, tool ?? "")),
          })}
        </span>
      ))}
      {reasons.length > shown.length ? (
        <span>{t("agents.differences_more", { count: reasons.length - shown.length })}</span>
      ) : null}
    </span>
  );
}

const REASONS_SHOWN = 5;

/** The hub has one word for both; without a tool it is the permission itself. */
const reasonOf = (kind: BreakingKind, tool: string | null) =>
  kind === "tool_sensitivity_raised" && tool === null ? "scope_sensitivity_raised" : kind;

/** The question of contract §7: until it is answered, these scopes count as not granted. */
export function Reconsent({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  const act = useAct();
  const label = useAgentLabel(agent.agent_id, agent.name);
  const [sent, setSent] = useState<"refuse" | "allow" | null>(null);
  const waiting = agent.grants.filter(({ state }) => state === "awaiting_reconsent");
  const grants = new Map(waiting.map((grant) => [grant.scope.id, grant]));
  const scopes = waiting.map(({ scope }) => scope);
  // Scopes that would now be asked about less often are not preselected.
  const choice = useScopeChoice(
    `${agent.agent_id} ${agent.manifest_version}`,
    scopes,
    ({ id, sensitivity }) => sensitivity !== "high" && !isLowered(grants.get(id)?.declared),
  );
  const answer = async (word: "refuse" | "allow", allowed: readonly string[]): Promise<void> => {
    setSent(word);
    await act("agents.set_scopes", {
      agent_id: agent.agent_id,
      manifest_version: agent.manifest_version,
      granted_scopes: [...grantedScopes(agent), ...allowed],
    });
    setSent(null);
  };
  return (
    <div className="reconsent" data-testid="reconsent">
      <ScopePicker
        scopes={scopes}
        choice={choice}
        testPrefix="reconsent-scope"
        legend={t("agents.reconsent_title", { agent: label })}
        limited={isLimited(agent)}
        note={(scope) => (
          <>
            <Reasons reasons={grants.get(scope.id)?.reasons ?? []} />
            <DeclaredNote scope={scope} declared={grants.get(scope.id)?.declared} />
          </>
        )}
      />
      {agent.changed_since_review ? null : (
        <p data-testid="reconsent-taken-back">{t("agents.reconsent_taken_back")}</p>
      )}
      <p className="muted">{t("agents.reconsent_body")}</p>
      <div className="button-row">
        <Button
          data-testid="reconsent-refuse"
          isPending={sent === "refuse"}
          isDisabled={sent === "allow"}
          onPress={() => void answer("refuse", [])}
        >
          {t("agents.reconsent_refuse")}
        </Button>
        <Button
          className="primary"
          data-testid="reconsent-allow"
          isPending={sent === "allow"}
          isDisabled={sent === "refuse" || choice.chosen.size === 0}
          onPress={() => void answer("allow", [...choice.chosen])}
        >
          {t("agents.reconsent_allow")}
        </Button>
      </div>
    </div>
  );
}
