import { type FormEvent, useState } from "react";
import { Button } from "react-aria-components";
import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import { useAct } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { TitleField, typedTitle } from "./title-field.tsx";

interface RenameGroupProps {
  readonly view: ConversationView;
  readonly onClose: () => void;
}

export function RenameGroup({ view, onClose }: RenameGroupProps) {
  const { t } = useTexts();
  const act = useAct();
  const [typed, setTyped] = useState(view.title ?? "");
  const save = (event: FormEvent): void => {
    event.preventDefault();
    onClose();
    const { conversation_id } = view;
    void act("groups.rename", { conversation_id, title: typedTitle(typed) });
  };
  return (
    <form className="modal-form" onSubmit={save}>
      <TitleField typed={typed} onType={setTyped} />
      <div className="button-row">
        <Button onPress={onClose}>{t("app.cancel")}</Button>
        <Button type="submit" className="primary" data-testid="rename-group-save">
          {t("agents.rename_save")}
        </Button>
      </div>
    </form>
  );
}
