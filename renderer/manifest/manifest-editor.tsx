import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { Button, FileTrigger, Label, TextArea, TextField } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { offsetOf } from "./manifest-diff.tsx";

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

/** As many characters as the host examines, so that it can report a text as too large. */
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

/** A result, with the text and the current manifest it is about; it is ignored for any others. */
interface Found<View> {
  readonly text: string;
  readonly against: number | null;
  readonly check: View | null;
  readonly failure: BridgeErrorCode | null;
}

export interface CheckState<View> {
  /** Null: there is nothing to check, or it is being checked. */
  readonly check: View | null;
  readonly failure: BridgeErrorCode | null;
  readonly checking: boolean;
  /** After a failure. */
  readonly again: () => void;
}

/** How long typing must pause before the text is checked, in milliseconds. */
const SETTLE_MS = 300;

/** Checks when typing pauses. @param against its version, or null @param look a stable function */
export function useManifestCheck<View>(
  text: string,
  against: number | null,
  look: (text: string) => Promise<View>,
): CheckState<View> {
  const [found, setFound] = useState<Found<View> | null>(null);
  const [attempt, setAttempt] = useState(0);
  const empty = text.trim() === "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt looks again
  useEffect(() => {
    if (empty) return;
    let current = true;
    const tell = (next: Found<View>): void => {
      if (current) setFound(next);
    };
    const timer = setTimeout(() => {
      look(text).then(
        (check) => tell({ text, against, check, failure: null }),
        (error) => tell({ text, against, check: null, failure: errorCode(error) }),
      );
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, against, empty, look, attempt]);
  const again = (): void => {
    setFound(null);
    setAttempt(attempt + 1);
  };
  if (empty) return { check: null, failure: null, checking: false, again };
  if (found?.text !== text || found.against !== against)
    return { check: null, failure: null, checking: true, again };
  return { check: found.check, failure: found.failure, checking: false, again };
}
