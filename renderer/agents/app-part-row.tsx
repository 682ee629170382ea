import { Button } from "react-aria-components";
import {
  type AppChange,
  type AppPart,
  type AppPartView,
  type AppState,
  type AppView,
  CONFIG_BYTES_MAX,
  type HookNote,
} from "../../app/bridge/connected-apps.ts";
import { DiffView } from "../consent/diff-view.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { byteSize } from "../text/format.ts";

interface AppPartRowProps extends AppPartView {
  readonly app: AppView;
  readonly part: AppPart;
  readonly notes?: readonly HookNote[];
  readonly onLook: (connect: boolean) => void;
}

/** What an app is given of Consentry, and how it stands in the app's settings. */
export function AppPartRow(props: AppPartRowProps) {
  const { app, part, file, state, bytes, notes = [], onLook } = props;
  const { t } = useTexts();
  return (
    <div className="app-part" data-testid={`app-${app.app_id}-${part}`} data-state={state}>
      <div className="app-words">
        {t(`apps.part.${part}`)} <AppWord state={state} bytes={bytes ?? 0} />
        {(state === "path_unusable" ? [] : notes).map((note) => (
          <p className="caution" key={note}>
            {t(`apps.note.${note}`, { app: app.name })}
          </p>
        ))}
        <p className="muted app-file">
          <VisibleText text={file} />
        </p>
      </div>
      <div className="button-row">
        {OFFERED[state].map((offer) => (
          <button
            type="button"
            key={offer}
            className={offer === "connect" ? "primary" : "quiet"}
            aria-label={t(`apps.${offer}_${part}_named`, { app: app.name })}
            data-testid={`${offer}-${app.app_id}-${part}`}
            onClick={() => onLook(offer === "connect")}
          >
            {t(`apps.${offer}`)}
          </button>
        ))}
      </div>
    </div>
  );
}

type Offer = "connect" | "disconnect" | "forget";

const OFFERED: Readonly<Record<AppState, readonly Offer[]>> = {
  not_connected: ["connect"],
  connected: ["disconnect"],
  changed: ["connect", "disconnect"],
  not_ours: ["connect", "disconnect"],
  removed: ["connect", "forget"],
  unreadable: [],
  too_large: [],
  not_editable: [],
  path_unusable: [],
  not_renewable: ["disconnect"],
};

function AppWord({ state, bytes }: Required<Pick<AppPartView, "state" | "bytes">>) {
  const { t, language } = useTexts();
  if (state === "not_connected") return null;
  const words =
    state === "too_large"
      ? t("apps.state.too_large", {
          size: byteSize(language, bytes),
          limit: byteSize(language, CONFIG_BYTES_MAX),
        })
      : t(`apps.state.${state}`);
  return <span className={state === "connected" ? "muted" : "caution"}>{words}</span>;
}

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
