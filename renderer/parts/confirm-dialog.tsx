import type { ReactNode } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { useTexts } from "../language.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly confirm: string;
  readonly testId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly children: ReactNode;
}

/** Asks for confirmation. The focus starts on the answer that changes nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, testId, isOpen, onClose, onConfirm, children } = props;
  const { t } = useTexts();
  return (
    <ModalOverlay
      className="modal-shade"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className="modal">
        <Dialog role="alertdialog" className="modal-dialog" data-testid={testId}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
          <div className="button-row">
            <Button autoFocus data-testid={`${testId}-cancel`} onPress={onClose}>
              {t("app.cancel")}
            </Button>
            <Button
              className="danger"
              data-testid={`${testId}-confirm`}
              onPress={() => {
                onClose();
                onConfirm();
              }}
            >
              {confirm}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
