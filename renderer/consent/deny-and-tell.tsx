import { type ReactNode, useRef } from "react";
import { Button, Label, TextArea, TextField } from "react-aria-components";
import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { keptState } from "../state/kept-state.ts";
import { CARD_KEYS } from "./answer-keys.ts";

/** Null: folded. */
const useTyped = keptState<string | null>();

interface DenyAndTellProps {
  readonly request_id: string;
  readonly name: string;
  /** False: the request can no longer be answered. */
  readonly open: boolean;
  readonly onDeny: (message: string) => void;
  /** What else a denial can do. */
  readonly children?: ReactNode;
}

/** What is in the buttons' row is in sight: scrolling to it would move the rest of the card away. */
const focusInRow = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });

/** Unfolds a field for what the agent is told with a denial; nothing is sent before its button. */
export function DenyAndTell({ request_id, name, open, onDeny, children }: DenyAndTellProps) {
  const { t } = useTexts();
  const opener = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useTyped(request_id, null);
  const fold = (): void => {
    setTyped(null);
    focusInRow(opener.current);
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="quiet"
        aria-expanded={typed !== null}
        data-key={CARD_KEYS.tell}
        aria-keyshortcuts={CARD_KEYS.tell}
        aria-disabled={!open && typed === null}
        data-testid="consent-tell"
        onClick={() => {
          if (typed !== null) fold();
          else if (open) setTyped("");
        }}
      >
        {name}
      </button>
      {typed === null ? null : (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the keys of its field from the card
        <div
          className="tell"
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === "Escape" && !event.nativeEvent.isComposing) fold();
          }}
        >
          <TextField
            className="field"
            value={typed}
            onChange={setTyped}
            maxLength={LIMITS.personsWordsChars}
          >
            <Label>{t("consent.tell_label")}</Label>
            <TextArea ref={focusInRow} rows={2} dir="auto" data-testid="consent-tell-field" />
          </TextField>
          <p className="muted">{t("consent.tell_means")}</p>
          <div className="tell-keys">
            {children}
            <Button onPress={fold}>{t("app.cancel")}</Button>
            <Button
              isDisabled={!open || typed.trim() === ""}
              data-testid="consent-tell-send"
              onPress={() => onDeny(typed)}
            >
              {t("consent.tell_send")}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
