import { useState } from "react";
import { Button, type ButtonProps } from "react-aria-components";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface ConfirmButtonProps extends Pick<ButtonProps, "children" | "className" | "aria-label"> {
  readonly testId: string;
  readonly title: string;
  readonly body: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
}

/** A button whose action waits for confirmation. */
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
