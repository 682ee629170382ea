import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmButton } from "../parts/dialogs.tsx";

/** The person acknowledges that an older copy of the log was restored; asked once more. */
export function AcknowledgeRollback({ onDone }: Readonly<{ onDone?: () => void }>) {
  const { t } = useTexts();
  const act = useAct();
  const acknowledge = async (): Promise<void> => {
    if (await act("activity.acknowledge", {})) onDone?.();
  };
  return (
    <ConfirmButton
      testId="acknowledge-rollback"
      title={t("activity.acknowledge_ask")}
      body={t("activity.acknowledge_means")}
      confirm={t("activity.acknowledge_confirm")}
      onConfirm={() => void acknowledge()}
    >
      {t("activity.acknowledge")}
    </ConfirmButton>
  );
}
