import { type ReactNode, useEffect, useRef } from "react";
import {
  type AppPart,
  type AppPartView,
  type AppState,
  type AppView,
  CONFIG_BYTES_MAX,
  type HookNote,
} from "../../app/bridge/connected-apps.ts";
import { useTexts } from "../language.tsx";
import { pageAddress, pageQuery, useFragment } from "../page/page-address.ts";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { byteSize } from "../text/format.ts";
import { useAppSetup } from "./app-setup.tsx";

/** Drawn with what follows once the host has looked: nothing moves under a pointer. */
export function ConnectApps({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const { apps, failure, said, look, dialog } = useAppSetup();
  const section = useRef<HTMLElement>(null);
  useKeptFocus(section);
  const isDrawn = apps !== null || failure !== null;
  const isWanted = new URLSearchParams(pageQuery(useFragment())).has("connect");
  useEffect(() => {
    if (!isDrawn || !isWanted) return;
    section.current?.focus();
    // So that the command works again.
    window.location.replace(pageAddress("agents"));
  }, [isDrawn, isWanted]);
  if (!isDrawn) return null;
  return (
    <>
      <section ref={section} tabIndex={-1} className="card" data-testid="connect-apps">
        <h2>{t("apps.title")}</h2>
        <p className="muted">{t("apps.lede")}</p>
        {apps?.length === 0 ? <p>{t("apps.none")}</p> : null}
        <ul className="rows">
          {apps?.map((app) => (
            <li className="row app-row" data-testid={`app-${app.app_id}`} key={app.app_id}>
              <h3>{app.name}</h3>
              <AppPartRow
                app={app}
                part="tools"
                {...app.tools}
                onLook={(connect) => look(app, ["tools"], connect)}
              />
              {app.hook === null ? null : (
                <AppPartRow
                  app={app}
                  part="hook"
                  {...app.hook}
                  onLook={(connect) => look(app, ["hook"], connect)}
                />
              )}
              <p role="status">{said(app.app_id)}</p>
            </li>
          ))}
        </ul>
        {failure === null ? null : <p role="status">{t(`bridge_error.${failure}`)}</p>}
        {dialog}
      </section>
      {children}
    </>
  );
}

interface AppPartRowProps extends AppPartView {
  readonly app: AppView;
  readonly part: AppPart;
  readonly notes?: readonly HookNote[];
  readonly onLook: (connect: boolean) => void;
}

/** What an app is given of Consentry, and how it stands in the app's settings. */
function AppPartRow(props: AppPartRowProps) {
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
        <VisibleText within="p" className="muted app-file" text={file} />
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
