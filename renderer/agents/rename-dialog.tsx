import { type FormEvent, useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import { PETNAME_MAX } from "../../app/bridge/agent-views.ts";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface RenameDialogProps {
  readonly agent: AgentCard;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The person's own name for an agent. The agent's own name is shown beside it everywhere. */
export function RenameDialog({ agent, isOpen, onClose }: RenameDialogProps) {
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
      <div className="button-row">
        <Button onPress={onClose}>{t("app.cancel")}</Button>
        <Button type="submit" className="primary" data-testid="rename-agent-save">
          {t("agents.rename_save")}
        </Button>
      </div>
    </form>
  );
}
