import { type FormEvent, useState } from "react";
import { Input, Label, TextField } from "react-aria-components";
import { type AgentDetails, PETNAME_MAX } from "../../app/bridge/agent-views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmDialog, FormDialog } from "../parts/dialogs.tsx";
import { MoreMenu } from "../parts/more-menu.tsx";
import { DialogButtons } from "../parts/submit.tsx";
import { Tick } from "../parts/tick.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { useAgentLabel } from "../text/agent-labels.ts";
import { useSuspend } from "./suspend-button.tsx";

export function AgentMenu({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  const [opened, setOpened] = useState<"rename" | "remove" | null>(null);
  const flip = useSuspend(agent);
  const close = (): void => setOpened(null);
  const label = useAgentLabel(agent.agent_id, agent.name);
  const flips = t(agent.relation === "suspended" ? "agents.resume" : "agents.suspend");
  return (
    <>
      <MoreMenu
        of={label}
        testId="agent-menu"
        actions={[
          { testId: "agent-rename", words: t("agents.rename"), run: () => setOpened("rename") },
          ...(flip === null ? [] : [{ testId: "agent-suspend", words: flips, run: flip }]),
          { testId: "agent-remove", words: t("agents.remove"), run: () => setOpened("remove") },
        ]}
      />
      <RenameDialog agent={agent} isOpen={opened === "rename"} onClose={close} />
      <RemoveDialog agent={agent} isOpen={opened === "remove"} onClose={close} />
    </>
  );
}

interface RemoveDialogProps {
  readonly agent: AgentDetails;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function RemoveDialog({ agent, isOpen, onClose }: RemoveDialogProps) {
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

interface RenameDialogProps {
  readonly agent: AgentDetails;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The person's own name for an agent. The agent's own name is shown beside it everywhere. */
function RenameDialog({ agent, isOpen, onClose }: RenameDialogProps) {
  const { t } = useTexts();
  return (
    <FormDialog
      title={t("agents.rename_title")}
      testId="rename-agent"
      isOpen={isOpen}
      onClose={onClose}
    >
      <p>
        {t("agents.calls_itself")} <VisibleText text={agent.name} />
      </p>
      <p className="muted">{t("agents.rename_body")}</p>
      <RenameForm agent={agent} onClose={onClose} />
    </FormDialog>
  );
}

/** Created each time the dialog opens, with the current name. */
function RenameForm({ agent, onClose }: Omit<RenameDialogProps, "isOpen">) {
  const { t } = useTexts();
  const act = useAct();
  const [typed, setTyped] = useState(agent.petname ?? "");
  const save = (event: FormEvent): void => {
    event.preventDefault();
    onClose();
    const petname = typed.trim() === "" ? null : typed;
    void act("agents.rename", { agent_id: agent.agent_id, petname });
  };
  return (
    <form className="modal-form" onSubmit={save}>
      <TextField value={typed} onChange={setTyped} maxLength={PETNAME_MAX} autoFocus>
        <Label>{t("agents.rename_label")}</Label>
        <Input data-testid="rename-agent-name" type="text" autoComplete="off" />
      </TextField>
      <DialogButtons label={t("agents.rename_save")} testId="rename-agent-save" onClose={onClose} />
    </form>
  );
}
