import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { useTitle } from "./use-names.ts";

export function DeleteHistory({ view }: { readonly view: ConversationView }) {
  const { t } = useTexts();
  const act = useAct();
  const title = useTitle(view);
  const { conversation_id } = view;
  return (
    <ConfirmButton
      className="quiet"
      aria-label={t("conversations.delete_history")}
      testId="delete-history"
      title={t("conversations.delete_ask", { title })}
      body={t("conversations.delete_body")}
      confirm={t("conversations.delete_confirm")}
      onConfirm={() => void act("conversations.delete_history", { conversation_id })}
    >
      <Icon name="trash" />
    </ConfirmButton>
  );
}
