import { useEffect, useRef, useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ImportStep, ImportSummary } from "../../app/bridge/own-data-calls.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { EXPORT_ENDING } from "../../app/contract/own-data.ts";
import type { Translate } from "../../i18n/index.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { pageQuery, useFragment } from "../page/page-address.ts";
import { FormDialog } from "../parts/dialogs.tsx";
import { base64Of } from "../parts/files.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { dateTime, nameList } from "../text/format.ts";

interface Checked {
  readonly file: File;
  readonly summary: ImportSummary;
}

/** Takes an exported file over: it is checked first, and the person sees what it adds. */
export function ImportData() {
  const { t } = useTexts();
  const { bridge, setFailure } = useHost();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const fragment = useFragment();
  // A file of ours was opened. Which one is for the person to say: anything can open a file.
  useEffect(() => {
    if (new URLSearchParams(pageQuery(fragment)).has("import")) button.current?.focus();
  }, [fragment]);
  const send = async (call: "data.import_check" | "data.import_take", file: File) => {
    setBusy(true);
    try {
      const step = await sendFile(bridge, call, file);
      if (step.kind === "fault") {
        setSaid(t(`own_data.fault.${step.fault}`, { line: step.line }));
        setChecked(null);
      } else if (step.kind === "checked") setChecked({ file, summary: step.summary });
      else {
        setChecked(null);
        setSaid(t("own_data.imported"));
      }
    } catch (error) {
      setSaid(null);
      setFailure(errorCode(error));
    } finally {
      setBusy(false);
    }
  };
  const choose = (file: File | undefined): void => {
    if (file === undefined) return;
    setSaid(t("own_data.checking"));
    void send("data.import_check", file).then(() =>
      setSaid((now) => (now === t("own_data.checking") ? null : now)),
    );
  };
  return (
    <div className="setting deed">
      <span>
        {t("own_data.import_body")}
        <span role="status" className="setting-said" data-testid="own-data-import-said">
          {said}
        </span>
      </span>
      <FileTrigger
        acceptedFileTypes={[EXPORT_ENDING, ".jsonl"]}
        onSelect={(files) => choose(files?.[0] ?? undefined)}
      >
        <Button ref={button} data-testid="own-data-import" isPending={busy}>
          {t("own_data.import")}
        </Button>
      </FileTrigger>
      <FormDialog
        title={t("own_data.import_title")}
        testId="own-data-import-dialog"
        isOpen={checked !== null}
        onClose={() => {
          if (!busy) setChecked(null);
        }}
      >
        {checked === null ? null : (
          <>
            <Summary {...checked.summary} />
            <div className="button-row">
              <Button autoFocus isDisabled={busy} onPress={() => setChecked(null)}>
                {t("app.cancel")}
              </Button>
              <Button
                className="primary"
                isPending={busy}
                data-testid="own-data-import-confirm"
                onPress={() => void send("data.import_take", checked.file)}
              >
                {t("own_data.import_confirm")}
              </Button>
            </div>
          </>
        )}
      </FormDialog>
    </div>
  );
}

function Summary(summary: ImportSummary) {
  const { t, language } = useTexts();
  const time = dateTime(language, summary.exported_at);
  return (
    <>
      <p>{t("own_data.import_from", { time })}</p>
      <ul>
        {linesOf(t, summary).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {summary.agents.length === 0 ? null : (
          <li>
            <VisibleText
              text={t("own_data.import_agents", {
                count: summary.agents.length,
                agents: nameList(language, summary.agents),
              })}
            />
          </li>
        )}
      </ul>
      <p>{t("own_data.import_grants_nothing")}</p>
    </>
  );
}

function linesOf(t: Translate, summary: ImportSummary): readonly string[] {
  const { settings, conversations, messages, known_conversations, left_out } = summary;
  return [
    ...(settings ? [t("own_data.import_settings")] : []),
    t("own_data.import_messages", { count: messages, conversations }),
    ...(known_conversations > 0
      ? [t("own_data.import_known", { count: known_conversations })]
      : []),
    ...(left_out > 0 ? [t("own_data.import_left_out", { count: left_out })] : []),
  ];
}

/** Sends a file in parts. @throws BridgeError; what the browser throws for the file */
async function sendFile(
  bridge: Pick<ClientBridge, "call">,
  name: "data.import_check" | "data.import_take",
  file: Blob,
): Promise<Exclude<ImportStep, { kind: "more" }>> {
  const step = LIMITS.importPartBytes;
  for (let number = 0; ; number += 1) {
    const end = (number + 1) * step;
    const bytes = await base64Of(file.slice(number * step, end));
    const said = await bridge.call(name, { number, bytes, last: end >= file.size });
    if (said.kind !== "more") return said;
  }
}
