import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { AppChange, AppId, AppPart, AppView } from "../../app/bridge/connected-apps.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageAddress, pageQuery, useFragment } from "../page/page-address.ts";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { AppChangeDialog, AppPartRow } from "./app-part-row.tsx";

interface Shown {
  readonly app: AppView;
  readonly change: AppChange;
  readonly connect: boolean;
}

/** What became of the last change to an app. */
interface Said {
  readonly app_id: AppId;
  readonly text: string;
}

/**
 * Apps on this computer that run agents: one click enters Consentry in their configuration. Not drawn before the
 * host has looked for them, nor is what follows: it would move under a pointer that is about to press it.
 */
export function ConnectApps({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const { apps, failure, refresh } = useApps();
  const [shown, setShown] = useState<Shown | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const write = async (made: Shown): Promise<void> => {
    const { app_id, part, digest } = made.change;
    setShown(null);
    try {
      await bridge.call("apps.apply", { app_id, part, connect: made.connect, digest });
      if (made.connect) {
        setSaid({ app_id, text: t(`apps.written_${part}`, { app: made.app.name }) });
      }
    } catch (error) {
      setSaid({ app_id, text: t(`bridge_error.${errorCode(error)}`) });
    }
    refresh();
  };
  const look = async (app: AppView, part: AppPart, connect: boolean): Promise<void> => {
    const { app_id } = app;
    setSaid(null);
    try {
      const change = await bridge.call("apps.change", { app_id, part, connect });
      const found = { app, connect, change };
      // Nothing to look at: the entry is gone already.
      if (!connect && change.hunks.length === 0) await write(found);
      else setShown(found);
    } catch (error) {
      setSaid({ app_id, text: t(`bridge_error.${errorCode(error)}`) });
    }
  };
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
                onLook={(connect) => void look(app, "tools", connect)}
              />
              {app.hook === null ? null : (
                <AppPartRow
                  app={app}
                  part="hook"
                  {...app.hook}
                  onLook={(connect) => void look(app, "hook", connect)}
                />
              )}
              <p role="status">{said?.app_id === app.app_id ? said.text : null}</p>
            </li>
          ))}
        </ul>
        {failure === null ? null : <p role="status">{t(`bridge_error.${failure}`)}</p>}
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

interface Apps {
  /** Null until the host has looked. */
  readonly apps: readonly AppView[] | null;
  readonly failure: BridgeErrorCode | null;
  readonly refresh: () => void;
}

/** Looked up when shown, and each time the person comes back to the page: others write these files too. */
function useApps(): Apps {
  const { bridge } = useHost();
  const [found, setFound] = useState<Omit<Apps, "refresh">>({ apps: null, failure: null });
  const refresh = useCallback(() => {
    bridge.call("apps.list", {}).then(
      (apps) => setFound({ apps, failure: null }),
      (error: unknown) => setFound({ apps: null, failure: errorCode(error) }),
    );
  }, [bridge]);
  useEffect(() => {
    refresh();
    window.addEventListener("focus", refresh);
    return () => window.removeEventListener("focus", refresh);
  }, [refresh]);
  return { ...found, refresh };
}
