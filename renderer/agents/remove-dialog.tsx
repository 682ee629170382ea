import { useState } from "react";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Tick } from "../parts/tick.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";

interface RemoveDialogProps {
  readonly agent: AgentCard;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks whether to remove an agent, and whether to delete its conversations too. */
export function RemoveDialog({ agent, isOpen, onClose }: RemoveDialogProps) {
  const { t } = useTexts();
  const act = useAct();
  const label = useAgentLabel(agent.agent_id, agent.name);
  const [keeps, setKeeps] = useState(false);
  const close = (): void => {
    setKeeps(false);
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("agents.remove_ask", { agent: label })}
      confirm={t("app.remove")}
      testId="remove-agent"
      isOpen={isOpen}
      onClose={close}
      onConfirm={() => void act("agents.remove", { agent_id: agent.agent_id, keep_history: keeps })}
    >
      <p>{t("agents.remove_takes")}</p>
      <p>{t("agents.remove_history")}</p>
      <Tick
        className="check-line"
        on={keeps}
        onChange={setKeeps}
        testId="remove-agent-keep-history"
      >
        <span>{t("agents.remove_keep_history")}</span>
      </Tick>
      <p>{t("agents.remove_keeps")}</p>
    </ConfirmDialog>
  );
}
