import { useState } from "react";
import { Button } from "react-aria-components";
import type { PolicyFault } from "../app/bridge/views.ts";
import { useHost } from "./host-context.tsx";
import { useTexts } from "./language.tsx";
import { Empty } from "./parts/empty.tsx";
import { VisibleText } from "./parts/visible-text.tsx";

/** A second tab, or one of before: where the program is, and the way there. */
export function LostKey() {
  const { t } = useTexts();
  const [said, setSaid] = useState<"opened" | "not_opened" | "not_running" | null>(null);
  const go = async (): Promise<void> => {
    const answer = await fetch("/open", { method: "POST" }).catch(() => null);
    setSaid(answer === null ? "not_running" : answer.ok ? "opened" : "not_opened");
  };
  return (
    <main className="outer" data-testid="lost-key">
      <Empty
        icon="permissions"
        title={t("connection.lost_key_title")}
        body={t("connection.lost_key_body", { address: window.location.host })}
      >
        <Button className="primary" data-testid="open-elsewhere" onPress={() => void go()}>
          {t("connection.open")}
        </Button>
        <p role="status">{said === null ? null : t(`connection.${said}`)}</p>
      </Empty>
    </main>
  );
}

/** The host deletes everything and ends: nothing follows on this page. */
export function DataRemoved() {
  const { t } = useTexts();
  return (
    <main className="outer" data-testid="data-removed">
      <div role="alert">
        <Empty icon="trash" title={t("own_data.removed_title")} body={t("own_data.removed_body")} />
      </div>
    </main>
  );
}

/** Shown before the first snapshot, or if the host could not provide one. */
export function Loading() {
  const { t } = useTexts();
  const { failure } = useHost();
  return (
    <main className="outer" aria-busy={failure === null}>
      {failure === null ? (
        <p className="muted">{t("app.loading")}</p>
      ) : (
        <div role="alert">
          <Empty icon="unplugged" title={t("app.load_failed")} body={t(`bridge_error.${failure}`)}>
            <Button onPress={() => location.reload()}>{t("app.try_again")}</Button>
          </Empty>
        </div>
      )}
    </main>
  );
}

/** A page that could not be rendered; the others still can. */
export function PageFailed() {
  const { t } = useTexts();
  return (
    <div role="alert" data-testid="page-failed">
      <Empty icon="error" title={t("app.page_failed_title")} body={t("app.page_failed_body")}>
        <Button onPress={() => location.reload()}>{t("app.try_again")}</Button>
      </Empty>
    </div>
  );
}

/** In place of every page: which file an administrator must mend, and where in it. */
export function BrokenPolicy({ fault }: { readonly fault: PolicyFault }) {
  const { t } = useTexts();
  const { file, code, place } = fault;
  return (
    <main className="outer" data-testid="broken-policy" data-code={code}>
      <div role="alert">
        <Empty icon="high" title={t("policy.broken_title")} body={t("policy.broken_body")}>
          <ul>
            <VisibleText within="li" className="mono" text={file} />
            <li>{t(`policy.faults.${code}`)}</li>
            {place === null ? null : (
              <li>
                {t("policy.place", { line: String(place.line), column: String(place.column) })}
                {place.pointer === "" ? null : (
                  <>
                    {" · "}
                    <VisibleText within="span" className="mono" text={place.pointer} />
                  </>
                )}
              </li>
            )}
          </ul>
        </Empty>
      </div>
    </main>
  );
}
