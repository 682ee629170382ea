import type { AppPart, AppPartView, AppState, AppView } from "../../app/bridge/app-views.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface AppPartRowProps extends AppPartView {
  readonly app: AppView;
  readonly part: AppPart;
  /** Without an answer the app's tools run all the same. */
  readonly goesOn?: boolean;
  readonly onLook: (connect: boolean) => void;
}

/** What an app is given of Consentry, and how it stands in the app's settings. */
export function AppPartRow({ app, part, file, state, goesOn = false, onLook }: AppPartRowProps) {
  const { t } = useTexts();
  const button = (connect: boolean) => {
    const word = connect ? "connect" : "disconnect";
    return (
      <button
        type="button"
        className={connect ? "primary" : "quiet"}
        aria-label={t(`apps.${word}_${part}_named`, { app: app.name })}
        data-testid={`${word}-${app.app_id}-${part}`}
        onClick={() => onLook(connect)}
      >
        {t(`apps.${word}`)}
      </button>
    );
  };
  return (
    <div className="app-part" data-testid={`app-${app.app_id}-${part}`} data-state={state}>
      <div className="app-words">
        {t(`apps.part.${part}`)} <AppWord state={state} />
        {goesOn ? <p className="caution">{t("apps.goes_on", { app: app.name })}</p> : null}
        <p className="muted app-file">
          <VisibleText text={file} />
        </p>
      </div>
      <div className="button-row">
        {OFFERS_CONNECT[state] ? button(true) : null}
        {OFFERS_DISCONNECT[state] ? button(false) : null}
      </div>
    </div>
  );
}

const OFFERS_CONNECT: Readonly<Record<AppState, boolean>> = {
  not_connected: true,
  connected: false,
  changed: true,
  not_ours: true,
  removed: true,
  unreadable: false,
  path_unusable: false,
  not_renewable: false,
};

const OFFERS_DISCONNECT: Readonly<Record<AppState, boolean>> = {
  not_connected: false,
  connected: true,
  changed: true,
  not_ours: true,
  removed: false,
  unreadable: false,
  path_unusable: false,
  not_renewable: true,
};

function AppWord({ state }: { readonly state: AppState }) {
  const { t } = useTexts();
  if (state === "not_connected") return null;
  return (
    <span className={state === "connected" ? "muted" : "caution"}>{t(`apps.state.${state}`)}</span>
  );
}
