import { useState } from "react";
import { Button } from "react-aria-components";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";

interface AcknowledgeRollbackProps {
  readonly onDone?: () => void;
}

/**
 * The person acknowledges that an older copy of the log was restored, after confirming once more.
 */
export function AcknowledgeRollback({ onDone }: AcknowledgeRollbackProps) {
  const { t } = useTexts();
  const act = useAct();
  const [asking, setAsking] = useState(false);
  const acknowledge = async (): Promise<void> => {
    if (await act("activity.acknowledge", {})) onDone?.();
  };
  return (
    <>
      <Button data-testid="acknowledge-rollback" onPress={() => setAsking(true)}>
        {t("activity.acknowledge")}
      </Button>
      <ConfirmDialog
        title={t("activity.acknowledge_ask")}
        confirm={t("activity.acknowledge_confirm")}
        testId="acknowledge"
        isOpen={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void acknowledge()}
      >
        <p>{t("activity.acknowledge_means")}</p>
      </ConfirmDialog>
    </>
  );
}
