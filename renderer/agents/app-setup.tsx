import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { AppChange, AppId, AppPart, AppView } from "../../app/bridge/connected-apps.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { DiffView } from "../consent/diff-view.tsx";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface Shown {
  readonly app: AppView;
  readonly connect: boolean;
  /** To different files. */
  readonly changes: readonly AppChange[];
  /** Parts that go into a file that is changed first. */
  readonly then: readonly AppPart[];
}

interface AppSetup {
  /** Null until the host has looked. */
  readonly apps: readonly AppView[] | null;
  readonly failure: BridgeErrorCode | null;
  /** What became of the last change to this app. */
  readonly said: (appId: AppId) => string | null;
  /** Shows what setting up these parts would change, or taking them out. */
  readonly look: (app: AppView, parts: readonly AppPart[], connect: boolean) => void;
  readonly dialog: ReactNode;
}

/** Apps that run agents, looked up anew on each return: others write these files too. */
export function useAppSetup(): AppSetup {
  const { t } = useTexts();
  const { bridge } = useHost();
  const [found, setFound] = useState<Pick<AppSetup, "apps" | "failure">>({
    apps: null,
    failure: null,
  });
  const [shown, setShown] = useState<Shown | null>(null);
  const [said, setSaid] = useState<{ readonly app_id: AppId; readonly text: string } | null>(null);
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
  const write = async ({ app, connect, changes, then }: Shown): Promise<void> => {
    const { app_id } = app;
    setShown(null);
    try {
      for (const { part, digest } of changes) {
        await bridge.call("apps.apply", { app_id, part, connect, digest });
      }
      const part = changes.some((each) => each.part === "tools") ? "tools" : "hook";
      if (connect) setSaid({ app_id, text: t(`apps.written_${part}`, { app: app.name }) });
      if (then.length > 0) await look(app, then, connect);
    } catch (error) {
      setSaid({ app_id, text: t(`bridge_error.${errorCode(error)}`) });
    }
    refresh();
  };
  const look = async (app: AppView, parts: readonly AppPart[], connect: boolean): Promise<void> => {
    const { app_id } = app;
    try {
      const all = await Promise.all(
        parts.map((part) => bridge.call("apps.change", { app_id, part, connect })),
      );
      const changes = all.filter(({ file }, at) => all.findIndex((e) => e.file === file) === at);
      const then = parts.filter((part) => !changes.some((each) => each.part === part));
      const made = { app, connect, changes, then };
      // Nothing to look at: the entry is gone already.
      if (!connect && changes.every(({ hunks }) => hunks.length === 0)) await write(made);
      else setShown(made);
    } catch (error) {
      setSaid({ app_id, text: t(`bridge_error.${errorCode(error)}`) });
    }
  };
  return {
    ...found,
    said: (appId) => (said?.app_id === appId ? said.text : null),
    look: (...wanted) => {
      setSaid(null);
      void look(...wanted);
    },
    dialog: (
      <AppChangeDialog
        shown={shown}
        onClose={() => setShown(null)}
        onWrite={() => shown !== null && void write(shown)}
      />
    ),
  };
}

interface AppChangeDialogProps {
  /** Null: closed. */
  readonly shown: Shown | null;
  readonly onClose: () => void;
  readonly onWrite: () => void;
}

function AppChangeDialog({ shown, onClose, onWrite }: AppChangeDialogProps) {
  const { t } = useTexts();
  const app = shown?.app.name ?? "";
  const connect = shown?.connect !== false;
  const changes = shown?.changes ?? [];
  const asksHere = connect && changes.some(({ part }) => part === "hook");
  return (
    <FormDialog
      title={t(connect ? "apps.change_title" : "apps.undo_title", { app })}
      testId="app-change"
      wide
      isOpen={shown !== null}
      onClose={onClose}
    >
      {asksHere ? <p>{t("apps.covers", { app })}</p> : null}
      {changes.map((change) => (
        <AppFileChange change={change} key={change.file} />
      ))}
      {(asksHere ? (shown?.app.hook?.notes ?? []) : []).map((note) => (
        <p className="caution" key={note}>
          {t(`apps.note.${note}`, { app })}
        </p>
      ))}
      <div className="button-row">
        <Button onPress={onClose}>{t("app.cancel")}</Button>
        <Button className="primary" data-testid="app-change-write" onPress={onWrite}>
          {t("apps.write")}
        </Button>
      </div>
    </FormDialog>
  );
}

function AppFileChange({ change: { file, hunks, backup } }: { readonly change: AppChange }) {
  const { t } = useTexts();
  return (
    <>
      <p>
        {t("apps.change_file")} <VisibleText within="code" text={file} />
      </p>
      <div className="app-change-lines">
        <DiffView hunks={hunks} />
      </div>
      {backup == null ? null : (
        <p className="muted">
          {t("apps.change_backup")} <VisibleText within="code" text={backup} />
        </p>
      )}
    </>
  );
}
