import { useState } from "react";
import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useTexts } from "../language.tsx";

export interface Submission {
  readonly pending: boolean;
  /** Why the last attempt failed. */
  readonly problem: BridgeErrorCode | null;
  readonly setProblem: (problem: BridgeErrorCode | null) => void;
  /** Does nothing while one is pending: Enter also submits a form whose button is disabled. */
  readonly submit: (event?: { preventDefault?(): void }) => void;
}

export function useSubmit(send: () => Promise<unknown>): Submission {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<BridgeErrorCode | null>(null);
  const run = async (): Promise<void> => {
    setPending(true);
    setProblem(null);
    try {
      await send();
    } catch (error) {
      setProblem(errorCode(error));
    }
    setPending(false);
  };
  return {
    pending,
    problem,
    setProblem,
    submit: (event) => {
      event?.preventDefault?.();
      if (!pending) void run();
    },
  };
}

/** Always in the page, so that screen readers hear it. */
export function Problem(props: Readonly<{ problem: BridgeErrorCode | null; testId: string }>) {
  const { problem, testId } = props;
  const { t } = useTexts();
  return (
    <p className="verdict-bad" role="alert" data-testid={testId} data-code={problem}>
      {problem === null ? null : t(`bridge_error.${problem}`)}
    </p>
  );
}

interface DialogButtonsProps {
  readonly label: string;
  readonly testId: string;
  readonly onClose: () => void;
  readonly isDisabled?: boolean;
  readonly pending?: boolean;
}

export function DialogButtons(props: DialogButtonsProps) {
  const { label, testId, onClose, isDisabled = false, pending = false } = props;
  const { t } = useTexts();
  return (
    <div className="button-row">
      <Button onPress={onClose}>{t("app.cancel")}</Button>
      <Button
        type="submit"
        className="primary"
        data-testid={testId}
        isDisabled={isDisabled}
        isPending={pending}
      >
        {label}
      </Button>
    </div>
  );
}
