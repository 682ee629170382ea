import { useState } from "react";
import { Button, Label, TextArea, TextField } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { CopyLine } from "../parts/fact.tsx";
import { useAsked } from "../parts/use-asked.ts";
import { type Checked, countDigest } from "./count-digest.ts";
import { FileCheck } from "./file-check.tsx";
import { SidePanel } from "./side-panel.tsx";

interface DigestCheckProps {
  /** @param text a digest, or a path */
  readonly onFind: (text: string) => void;
}

/** Finds the calls that were about a file, or had exactly these arguments. */
export function DigestCheck({ onFind }: DigestCheckProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const find = (text: string): void => {
    setOpen(false);
    onFind(text);
  };
  return (
    <>
      <Button data-testid="activity-check" onPress={() => setOpen(true)}>
        {t("activity.check")}
      </Button>
      <SidePanel
        title={t("activity.check_title")}
        isOpen={open}
        onClose={() => setOpen(false)}
        testId="activity-check-panel"
      >
        <FileCheck onFind={find} />
        <h3>{t("activity.check_label")}</h3>
        <CheckForm onFind={find} />
      </SidePanel>
    </>
  );
}

/** The pasted text is kept only in this form, and only while it is open. */
function CheckForm({ onFind }: DigestCheckProps) {
  const { t } = useTexts();
  const [text, setText] = useState("");
  const { state, ask, forget } = useAsked<Checked>();
  return (
    <>
      <p>{t("activity.check_body")}</p>
      <TextField
        className="filter"
        value={text}
        onChange={(next) => {
          setText(next);
          forget();
        }}
      >
        <Label>{t("activity.check_label")}</Label>
        <TextArea
          className="mono paste-area"
          data-testid="activity-check-text"
          rows={10}
          spellCheck={false}
          autoComplete="off"
        />
      </TextField>
      <Button
        className="primary"
        data-testid="activity-check-go"
        isDisabled={text.trim() === ""}
        isPending={state.kind === "asking"}
        onPress={() => void ask((bridge) => countDigest(bridge, text))}
      >
        {t("activity.check_go")}
      </Button>
      <div role="status" data-testid="activity-check-result">
        {state.kind === "failed" ? (
          <p className="verdict-bad">{t(`bridge_error.${state.code}`)}</p>
        ) : null}
        {state.kind === "found" ? <CheckAnswer checked={state.found} onFind={onFind} /> : null}
      </div>
    </>
  );
}

function CheckAnswer({ checked, onFind }: DigestCheckProps & { readonly checked: Checked }) {
  const { t } = useTexts();
  if ("problem" in checked) {
    const words = t(`activity.paste_problem.${checked.problem}`);
    const { line, column } = checked;
    return (
      <p className="verdict-bad">
        {line === null ? words : t("activity.paste_problem_at", { problem: words, line, column })}
      </p>
    );
  }
  const { digest, count } = checked;
  return (
    <div className="check-answer">
      <p>{count === 0 ? t("activity.check_none") : t("activity.check_found", { count })}</p>
      <CopyLine text={digest} />
      {count === 0 ? null : (
        <Button data-testid="activity-check-show" onPress={() => onFind(digest)}>
          {t("activity.check_show")}
        </Button>
      )}
    </div>
  );
}
