import { useState } from "react";
import type { AppChange, AppState, AppView } from "../../app/bridge/app-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { AppChangeDialog } from "./app-change-dialog.tsx";
import { useApps } from "./use-apps.ts";

interface Shown {
  readonly app: AppView;
  readonly change: AppChange;
  readonly connect: boolean;
}

/** Programs on this computer that run agents: one click enters Consentry in their configuration. */
export function ConnectApps() {
  const { t } = useTexts();
  const { bridge } = useHost();
  const { apps, failure: unlisted, refresh } = useApps();
  const [shown, setShown] = useState<Shown | null>(null);
  const [failed, setFailed] = useState<BridgeErrorCode | null>(null);
  const [written, setWritten] = useState<string | null>(null);
  const look = async (app: AppView, connect: boolean): Promise<void> => {
    setWritten(null);
    try {
      const { app_id } = app;
      setShown({ app, connect, change: await bridge.call("apps.change", { app_id, connect }) });
      setFailed(null);
    } catch (error) {
      setFailed(errorCode(error));
    }
  };
  const write = async ({ app, change: { app_id, digest }, connect }: Shown): Promise<void> => {
    setShown(null);
    try {
      await bridge.call("apps.apply", { app_id, connect, digest });
      setFailed(null);
      setWritten(connect ? app.name : null);
    } catch (error) {
      setFailed(errorCode(error));
    }
    refresh();
  };
  const failure = failed ?? unlisted;
  return (
    <section className="card connect-apps" data-testid="connect-apps">
      <h2>{t("apps.title")}</h2>
      <p className="muted">{t("apps.lede")}</p>
      {apps?.length === 0 ? <p>{t("apps.none")}</p> : null}
      <ul className="rows">
        {apps?.map((app) => (
          <AppRow key={app.app_id} app={app} onLook={(connect) => void look(app, connect)} />
        ))}
      </ul>
      <p role="status" data-testid="connect-apps-status">
        {failure === null ? null : t(`bridge_error.${failure}`)}
        {written === null ? null : t("apps.written", { app: written })}
      </p>
      <AppChangeDialog
        name={shown?.app.name ?? ""}
        change={shown?.change ?? null}
        connect={shown?.connect ?? true}
        onClose={() => setShown(null)}
        onWrite={() => {
          if (shown !== null) void write(shown);
        }}
      />
    </section>
  );
}

interface AppRowProps {
  readonly app: AppView;
  readonly onLook: (connect: boolean) => void;
}

function AppRow({ app: { app_id, name, file, state }, onLook }: AppRowProps) {
  const { t } = useTexts();
  return (
    <li className="row row-line" data-testid={`app-${app_id}`} data-state={state}>
      <div className="app-words">
        <strong>{name}</strong> <AppWord state={state} />
        <p className="muted app-file">
          <VisibleText text={file} />
        </p>
      </div>
      <div className="button-row">
        {OFFERS_CONNECT[state] ? (
          <button
            type="button"
            className="primary"
            aria-label={t("apps.connect_named", { app: name })}
            data-testid={`connect-${app_id}`}
            onClick={() => onLook(true)}
          >
            {t("apps.connect")}
          </button>
        ) : null}
        {OFFERS_DISCONNECT[state] ? (
          <button
            type="button"
            className="quiet"
            aria-label={t("apps.disconnect_named", { app: name })}
            data-testid={`disconnect-${app_id}`}
            onClick={() => onLook(false)}
          >
            {t("apps.disconnect")}
          </button>
        ) : null}
      </div>
    </li>
  );
}

const OFFERS_CONNECT: Readonly<Record<AppState, boolean>> = {
  not_connected: true,
  connected: false,
  changed: true,
  removed: true,
  unreadable: false,
};

const OFFERS_DISCONNECT: Readonly<Record<AppState, boolean>> = {
  not_connected: false,
  connected: true,
  changed: true,
  removed: false,
  unreadable: false,
};

function AppWord({ state }: { readonly state: AppState }) {
  const { t } = useTexts();
  if (state === "not_connected") return null;
  return (
    <span className={state === "connected" ? "muted" : "caution"}>{t(`apps.state.${state}`)}</span>
  );
}
