import type { AgentCard } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

/** Whether an agent can be reached, or that the person has suspended it. */
export function AgentState({ online, relation }: Pick<AgentCard, "online" | "relation">) {
  const { t } = useTexts();
  if (relation === "suspended") {
    return (
      <span className="online-state" data-testid="agent-state" data-suspended="true">
        <Icon name="pause" />
        {t("agents.relation_is.suspended")}
      </span>
    );
  }
  return (
    <span className="online-state" data-testid="agent-state" data-online={online}>
      <span className="dot" aria-hidden="true" />
      {online ? t("agents.online") : t("agents.offline")}
    </span>
  );
}
