import { type ReactNode, useRef, useState } from "react";
import type { AppChange, AppPart, AppView } from "../../app/bridge/app-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { AppChangeDialog } from "./app-change-dialog.tsx";
import { AppPartRow } from "./app-part-row.tsx";
import { useApps } from "./use-apps.ts";

interface Shown {
  readonly app: AppView;
  readonly change: AppChange;
  readonly connect: boolean;
}

/**
 * Apps on this computer that run agents: one click enters Consentry in their configuration. Not drawn before the
 * host has looked for them, nor is what follows: it would move under a pointer that is about to press it.
 */
export function ConnectApps({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const { apps, failure: unlisted, refresh } = useApps();
  const [shown, setShown] = useState<Shown | null>(null);
  const [failed, setFailed] = useState<BridgeErrorCode | null>(null);
  const [written, setWritten] = useState<Shown | null>(null);
  const look = async (app: AppView, part: AppPart, connect: boolean): Promise<void> => {
    setWritten(null);
    try {
      const change = await bridge.call("apps.change", { app_id: app.app_id, part, connect });
      setShown({ app, connect, change });
      setFailed(null);
    } catch (error) {
      setFailed(errorCode(error));
    }
  };
  const write = async (made: Shown): Promise<void> => {
    const { app_id, part, digest } = made.change;
    setShown(null);
    try {
      await bridge.call("apps.apply", { app_id, part, connect: made.connect, digest });
      setFailed(null);
      setWritten(made.connect ? made : null);
    } catch (error) {
      setFailed(errorCode(error));
    }
    refresh();
  };
  const failure = failed ?? unlisted;
  const section = useRef<HTMLElement>(null);
  useKeptFocus(section);
  if (apps === null && failure === null) return null;
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
                onLook={(connect) => void look(app, "tools", connect)}
              />
              {app.hook === null ? null : (
                <AppPartRow
                  app={app}
                  part="hook"
                  {...app.hook}
                  goesOn={!app.hook.fails_closed && app.hook.state !== "path_unusable"}
                  onLook={(connect) => void look(app, "hook", connect)}
                />
              )}
            </li>
          ))}
        </ul>
        <p role="status" data-testid="connect-apps-status">
          {failure === null ? null : t(`bridge_error.${failure}`)}
          {written === null
            ? null
            : t(`apps.written_${written.change.part}`, { app: written.app.name })}
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
      {children}
    </>
  );
}
