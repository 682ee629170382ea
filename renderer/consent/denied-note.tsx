import { useEffect } from "react";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { useTexts } from "../language.tsx";
import { isEditable, isPageKey, keyShortcuts } from "../parts/page-keys.ts";
import { steadyClock, useNow } from "../parts/use-now.ts";
import { secondsShown } from "../state/countdown.ts";
import type { ReceivedDenial } from "../state/store.ts";
import { targetSentence } from "../text/target-words.ts";

interface DeniedNoteProps {
  readonly denials: readonly ReceivedDenial[];
  readonly onUndo: (request_id: string) => void;
}

const TICK_MS = 200;

/** What was denied a moment ago, and taking it back for as long as that is possible (contract §3). */
export function DeniedNote({ denials, onUndo }: DeniedNoteProps) {
  const { t } = useTexts();
  useUndoKeys(denials, onUndo);
  return (
    // There before it says anything, so that screen readers hear it; and never hidden by a dialog.
    <div className="denied-note" data-react-aria-top-layer="true">
      {denials.length === 0 ? null : (
        <button
          type="button"
          data-testid="consent-undo"
          aria-keyshortcuts={keyShortcuts("undo")}
          onClick={() => undoAll(denials, onUndo)}
        >
          {t("consent.undo")}
          <Left denials={denials} />
        </button>
      )}
      <p role="status" data-testid="consent-denied">
        <Said denials={denials} />
      </p>
    </div>
  );
}

function Said({ denials: [first, ...more] }: Pick<DeniedNoteProps, "denials">) {
  const texts = useTexts();
  if (first === undefined) return null;
  if (more.length > 0) return texts.t("consent.denied_several", { count: more.length + 1 });
  const { card } = first.denial;
  const what = targetSentence(texts, callTarget(card), card.tool_name);
  return texts.t("consent.denied", { what });
}

/** The seconds until the first of them leaves; not read out each time they change. */
function Left({ denials }: Pick<DeniedNoteProps, "denials">) {
  const now = useNow(steadyClock, TICK_MS);
  const ends = denials.map(({ denial, received_at }) => received_at + denial.leaves_in_ms);
  return <span aria-hidden="true">{secondsShown(Math.max(0, Math.min(...ends) - now))}</span>;
}

function undoAll(denials: readonly ReceivedDenial[], undo: DeniedNoteProps["onUndo"]): void {
  for (const { denial } of denials) undo(denial.card.request_id);
}

/** Ctrl+Z or ⌘Z, except where it takes back typing. */
function useUndoKeys(denials: DeniedNoteProps["denials"], onUndo: DeniedNoteProps["onUndo"]): void {
  useEffect(() => {
    if (denials.length === 0) return;
    const listening = new AbortController();
    const pressed = (event: KeyboardEvent): void => {
      if (!isPageKey("undo", event) || isEditable(document.activeElement)) return;
      event.preventDefault();
      undoAll(denials, onUndo);
    };
    window.addEventListener("keydown", pressed, { signal: listening.signal });
    return () => listening.abort();
  }, [denials, onUndo]);
}
