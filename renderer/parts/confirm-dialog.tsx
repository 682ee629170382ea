import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { FormDialog } from "./form-dialog.tsx";

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
