import { useState } from "react";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ManifestUpdate } from "../manifest/manifest-update.tsx";
import { AgentChoice } from "./agent-choice.tsx";

/** The program's own form, with which the person gives one of their agents a new manifest. */
export function SystemForm() {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const [chosen, setChosen] = useState<string | null>(null);
  const agent = agents.find(({ agent_id }) => agent_id === chosen);
  return (
    <article
      className="system-form card"
      data-testid="system-form"
      aria-label={t("manifest.form_title")}
    >
      <h3>{t("manifest.form_title")}</h3>
      <p>{t("manifest.form_body")}</p>
      {agents.length === 0 ? (
        <p className="muted">{t("manifest.no_agents")}</p>
      ) : (
        <AgentChoice agents={agents} chosen={chosen} onChoose={setChosen} />
      )}
      {agent === undefined ? null : <ManifestUpdate key={agent.agent_id} agent={agent} />}
    </article>
  );
}
