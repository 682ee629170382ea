import type { ReactNode } from "react";
import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";

interface FormDialogProps {
  readonly title: string;
  readonly testId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Something to fill in, over the page; a press outside closes it and changes nothing. */
export function FormDialog({ title, testId, isOpen, onClose, children }: FormDialogProps) {
  return (
    <ModalOverlay
      className="modal-shade"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className="modal">
        <Dialog className="modal-dialog" data-testid={testId}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
