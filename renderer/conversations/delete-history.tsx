import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from "react-aria-components";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { useTitle } from "./use-names.ts";

/** Asks before deleting; the focus does not start on the deleting button. */
export function DeleteHistory({ view }: { readonly view: ConversationView }) {
  const { t } = useTexts();
  const act = useAct();
  const title = useTitle(view);
  const { conversation_id } = view;
  return (
    <DialogTrigger>
      <Button
        className="quiet"
        data-testid="delete-history"
        aria-label={t("conversations.delete_history")}
      >
        <Icon name="trash" />
      </Button>
      <ModalOverlay className="side-shade dialog-shade" isDismissable>
        <Modal className="dialog-box">
          <Dialog role="alertdialog" className="dialog" data-testid="delete-history-dialog">
            {({ close }) => (
              <>
                <Heading slot="title" level={2}>
                  {t("conversations.delete_ask", { title })}
                </Heading>
                <p>{t("conversations.delete_body")}</p>
                <div className="button-row">
                  <Button autoFocus data-testid="delete-history-cancel" onPress={close}>
                    {t("app.cancel")}
                  </Button>
                  <Button
                    className="danger"
                    data-testid="delete-history-confirm"
                    onPress={() => {
                      close();
                      void act("conversations.delete_history", { conversation_id });
                    }}
                  >
                    {t("conversations.delete_confirm")}
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}
