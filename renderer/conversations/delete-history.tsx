import { useState } from "react";
import { Button } from "react-aria-components";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { useTitle } from "./use-names.ts";

export function DeleteHistory({ view }: { readonly view: ConversationView }) {
  const { t } = useTexts();
  const act = useAct();
  const title = useTitle(view);
  const [asking, setAsking] = useState(false);
  const { conversation_id } = view;
  return (
    <>
      <Button
        className="quiet"
        data-testid="delete-history"
        aria-label={t("conversations.delete_history")}
        onPress={() => setAsking(true)}
      >
        <Icon name="trash" />
      </Button>
      <ConfirmDialog
        title={t("conversations.delete_ask", { title })}
        confirm={t("conversations.delete_confirm")}
        testId="delete-history-dialog"
        isOpen={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void act("conversations.delete_history", { conversation_id })}
      >
        <p>{t("conversations.delete_body")}</p>
      </ConfirmDialog>
    </>
  );
}
