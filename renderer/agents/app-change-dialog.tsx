import { Button } from "react-aria-components";
import type { AppChange } from "../../app/bridge/app-views.ts";
import { DiffView } from "../consent/diff-view.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface AppChangeDialogProps {
  readonly name: string;
  /** Null: closed. */
  readonly change: AppChange | null;
  readonly connect: boolean;
  readonly onClose: () => void;
  readonly onWrite: () => void;
}

/** The exact change to another program's file, before it is made. */
export function AppChangeDialog(props: AppChangeDialogProps) {
  const { name, change, connect, onClose, onWrite } = props;
  const { t } = useTexts();
  return (
    <FormDialog
      title={t(connect ? "apps.change_title" : "apps.undo_title", { app: name })}
      testId="app-change"
      wide
      isOpen={change !== null}
      onClose={onClose}
    >
      <p>
        {t("apps.change_file")}{" "}
        <code>
          <VisibleText text={change?.file ?? ""} />
        </code>
      </p>
      <div className="app-change-lines">
        <DiffView hunks={change?.hunks ?? []} />
      </div>
      {change?.backup == null ? null : (
        <p className="muted">
          {t("apps.change_backup")}{" "}
          <code>
            <VisibleText text={change.backup} />
          </code>
        </p>
      )}
      <div className="button-row">
        <Button onPress={onClose}>{t("app.cancel")}</Button>
        <Button className="primary" data-testid="app-change-write" onPress={onWrite}>
          {t("apps.write")}
        </Button>
      </div>
    </FormDialog>
  );
}
