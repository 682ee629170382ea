import { Button } from "react-aria-components";
import type {
  AppChange,
  AppPart,
  AppPartView,
  AppState,
  AppView,
  HookNote,
} from "../../app/bridge/connected-apps.ts";
import { DiffView } from "../consent/diff-view.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface AppPartRowProps extends AppPartView {
  readonly app: AppView;
  readonly part: AppPart;
  readonly notes?: readonly HookNote[];
  readonly onLook: (connect: boolean) => void;
}

/** What an app is given of Consentry, and how it stands in the app's settings. */
export function AppPartRow({ app, part, file, state, notes = [], onLook }: AppPartRowProps) {
  const { t } = useTexts();
  return (
    <div className="app-part" data-testid={`app-${app.app_id}-${part}`} data-state={state}>
      <div className="app-words">
        {t(`apps.part.${part}`)} <AppWord state={state} />
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
  not_editable: [],
  path_unusable: [],
  not_renewable: ["disconnect"],
};

function AppWord({ state }: { readonly state: AppState }) {
  const { t } = useTexts();
  if (state === "not_connected") return null;
  return (
    <span className={state === "connected" ? "muted" : "caution"}>{t(`apps.state.${state}`)}</span>
  );
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
