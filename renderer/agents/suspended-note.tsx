import type { AgentCard } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { SuspendButton } from "./suspend-button.tsx";

/** On a suspended agent's card: what that means, and the way back. */
export function SuspendedNote({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  if (agent.relation !== "suspended") return null;
  return (
    <div className="suspended-note" role="status" data-testid="agent-suspended">
      <p>{t("agents.suspended_note")}</p>
      <SuspendButton agentId={agent.agent_id} onlyResume />
    </div>
  );
}
