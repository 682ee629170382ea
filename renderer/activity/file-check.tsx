import { useState } from "react";
import { Button, FileTrigger, Input, Label, TextField } from "react-aria-components";
import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { type FileFound, useFileCheck } from "./use-file-check.ts";

interface FileCheckProps {
  readonly onFind: (text: string) => void;
}

/** "Is this my file?": finds the calls that named a path, and those that wrote what the file has. */
export function FileCheck({ onFind }: FileCheckProps) {
  const { t } = useTexts();
  const [path, setPath] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const { state, check, forget } = useFileCheck();
  return (
    <>
      <p>{t("activity.file_body")}</p>
      <TextField
        className="filter"
        value={path}
        maxLength={LIMITS.subjectChars}
        onChange={(next) => {
          setPath(next);
          forget();
        }}
      >
        <Label>{t("activity.file_path")}</Label>
        <Input
          className="mono"
          data-testid="activity-file-path"
          spellCheck={false}
          autoComplete="off"
        />
      </TextField>
      <div className="button-row">
        <FileTrigger
          onSelect={(files) => {
            setFile(files?.[0] ?? null);
            forget();
          }}
        >
          <Button data-testid="activity-file-choose">{t("activity.file_choose")}</Button>
        </FileTrigger>
        {file === null ? null : <VisibleText text={file.name} />}
        <Button
          className="primary"
          data-testid="activity-file-go"
          isDisabled={path.trim() === ""}
          isPending={state.kind === "asking"}
          onPress={() => void check(path.trim(), file)}
        >
          {t("activity.check_go")}
        </Button>
      </div>
      <div role="status" data-testid="activity-file-result">
        {state.kind === "failed" ? (
          <p className="verdict-bad">{t(`bridge_error.${state.code}`)}</p>
        ) : null}
        {state.kind === "found" ? <FileAnswer found={state.found} onFind={onFind} /> : null}
      </div>
    </>
  );
}

function FileAnswer({ found, onFind }: FileCheckProps & { readonly found: FileFound }) {
  const { t } = useTexts();
  const { path, named, written } = found;
  return (
    <div className="check-answer">
      <p>{t("activity.file_named", { count: named })}</p>
      {named === 0 ? null : (
        <Button data-testid="activity-file-show" onPress={() => onFind(path)}>
          {t("activity.check_show")}
        </Button>
      )}
      {written === null ? null : <WrittenAnswer written={written} onFind={onFind} />}
    </div>
  );
}

function WrittenAnswer({
  written,
  onFind,
}: FileCheckProps & { readonly written: NonNullable<FileFound["written"]> }) {
  const { t } = useTexts();
  if (written === "too_large") return <p>{t("activity.file_too_large")}</p>;
  if (written.length === 0) return <p>{t("activity.file_written", { count: 0 })}</p>;
  return written.map(({ digest, count }) => (
    <div key={digest}>
      <p>{t("activity.file_written", { count })}</p>
      <Button data-testid="activity-file-show-written" onPress={() => onFind(digest)}>
        {t("activity.check_show")}
      </Button>
    </div>
  ));
}
