import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { Button, FileTrigger, Label, TextArea, TextField } from "react-aria-components";
import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { offsetOf } from "./subjects.ts";

/** Moves the cursor to a position in the text. */
export interface EditorHandle {
  goTo(line: number, column: number): void;
}

interface ManifestEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly invalid: boolean;
  /** The element that describes its faults. */
  readonly describedBy?: string;
  readonly isDisabled?: boolean;
  readonly handle?: Ref<EditorHandle>;
}

/**
 * As many characters as the host examines, so that a text that is too large is reported as such.
 */
const MOST_CHARS = LIMITS.manifestBytes * 8;

/** A manifest as text, pasted or opened from a file. Nothing is sent automatically. */
export function ManifestEditor(props: ManifestEditorProps) {
  const { text, onText, invalid, describedBy, isDisabled = false, handle } = props;
  const { t } = useTexts();
  const area = useRef<HTMLTextAreaElement>(null);
  const [unreadable, setUnreadable] = useState(false);
  useImperativeHandle(handle, () => ({
    goTo: (line, column) => goTo(area.current, line, column),
  }));
  const open = async (files: FileList | null): Promise<void> => {
    const file = files?.[0];
    if (file === undefined) return;
    const read = file.size > MOST_CHARS ? null : await file.text().catch(() => null);
    setUnreadable(read === null);
    if (read !== null) onText(read);
  };
  return (
    <div className="manifest-editor">
      <TextField
        className="filter"
        value={text}
        onChange={onText}
        isInvalid={invalid}
        isDisabled={isDisabled}
        maxLength={MOST_CHARS}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
      >
        <Label>{t("manifest.text")}</Label>
        <TextArea
          ref={area}
          className="mono paste-area"
          data-testid="manifest-text"
          rows={12}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          placeholder={'{ "schema_version": "1.0", … }'}
        />
      </TextField>
      <div className="manifest-file">
        <FileTrigger
          acceptedFileTypes={[".json", "application/json"]}
          onSelect={(files) => void open(files)}
        >
          <Button data-testid="manifest-open-file" isDisabled={isDisabled}>
            <Icon name="folder" />
            {t("manifest.open_file")}
          </Button>
        </FileTrigger>
        <span role="status" className="verdict-bad">
          {unreadable ? t("manifest.file_unreadable") : null}
        </span>
      </div>
    </div>
  );
}

function goTo(area: HTMLTextAreaElement | null, line: number, column: number): void {
  if (area === null) return;
  const at = offsetOf(area.value, line, column);
  area.focus();
  area.setSelectionRange(at, Math.min(at + 1, area.value.length));
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight);
  const margin = area.clientHeight / 3;
  area.scrollTop = Math.max(0, (line - 1) * lineHeight - margin);
}
