import { type ReactNode, useState } from "react";
import {
  Button,
  type ButtonProps,
  Dialog,
  Heading,
  Modal,
  ModalOverlay,
} from "react-aria-components";
import { useTexts } from "../language.tsx";

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
  const { confirm, onConfirm, children, ...dialog } = props;
  const { testId, onClose } = dialog;
  const { t } = useTexts();
  return (
    <FormDialog {...dialog} role="alertdialog">
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
    </FormDialog>
  );
}

interface ConfirmButtonProps
  extends Pick<ButtonProps, "children" | "className" | "aria-label" | "isDisabled" | "isPending"> {
  readonly testId: string;
  readonly title: string;
  readonly body: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { testId, title, body, confirm, onConfirm, ...button } = props;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button {...button} data-testid={testId} onPress={() => setAsking(true)} />
      <ConfirmDialog
        title={title}
        confirm={confirm}
        testId={`${testId}-dialog`}
        isOpen={asking}
        onClose={() => setAsking(false)}
        onConfirm={onConfirm}
      >
        <p>{body}</p>
      </ConfirmDialog>
    </>
  );
}
