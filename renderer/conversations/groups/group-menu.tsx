import { type FormEvent, useState } from "react";
import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import { useAct } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { ConfirmDialog, FormDialog } from "../../parts/dialogs.tsx";
import { MoreMenu } from "../../parts/more-menu.tsx";
import { DialogButtons } from "../../parts/submit.tsx";
import { useTitle } from "../names.ts";
import { GroupMembers } from "./group-members.tsx";
import { TitleField, typedTitle } from "./new-group.tsx";

export function GroupMenu({ view }: { readonly view: ConversationView }) {
  const { t } = useTexts();
  const act = useAct();
  const title = useTitle(view);
  const [opened, setOpened] = useState<"rename" | "members" | "leave" | null>(null);
  const close = (): void => setOpened(null);
  const { conversation_id, owned } = view;
  const action = (what: "rename" | "members" | "leave", words: string) => ({
    testId: `group-${what}`,
    words,
    run: () => setOpened(what),
  });
  return (
    <>
      <MoreMenu
        of={title}
        testId="group-menu"
        actions={[
          action("members", t("groups.members_open")),
          ...(owned ? [action("rename", t("agents.rename"))] : []),
          action("leave", t(owned ? "groups.end" : "groups.leave")),
        ]}
      />
      <FormDialog
        title={t("groups.rename_title")}
        testId="rename-group"
        isOpen={opened === "rename"}
        onClose={close}
      >
        <RenameGroup view={view} onClose={close} />
      </FormDialog>
      <FormDialog
        title={t("groups.members")}
        testId="group-members-dialog"
        isOpen={opened === "members"}
        onClose={close}
      >
        <GroupMembers view={view} onClose={close} />
      </FormDialog>
      <ConfirmDialog
        title={t(owned ? "groups.end_ask" : "groups.leave_ask", { title })}
        confirm={t(owned ? "groups.end_confirm" : "groups.leave_confirm")}
        testId="leave-group"
        isOpen={opened === "leave"}
        onClose={close}
        onConfirm={() => void act("groups.leave", { conversation_id })}
      >
        <p>{t(owned ? "groups.end_body" : "groups.leave_body")}</p>
      </ConfirmDialog>
    </>
  );
}

function RenameGroup({ view, onClose }: Readonly<{ view: ConversationView; onClose: () => void }>) {
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
      <DialogButtons label={t("agents.rename_save")} testId="rename-group-save" onClose={onClose} />
    </form>
  );
}
