import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";

interface FormDialogProps {
  readonly title: string;
  readonly testId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** A press outside does not close an alert. */
  readonly role?: "alertdialog";
  readonly wide?: boolean;
}

/** Something to fill in, over the page; a press outside closes it and changes nothing. */
export function FormDialog(props: FormDialogProps) {
  const { title, testId, isOpen, onClose, children, role = "dialog", wide = false } = props;
  return (
    <ModalOverlay
      className="modal-shade"
      isOpen={isOpen}
      isDismissable={role === "dialog"}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={wide ? "modal modal-wide" : "modal"}>
        <Dialog role={role} className="modal-dialog" data-testid={testId}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
