import { useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { isPageKey, keyShown, type PageKeyName } from "../parts/page-keys.ts";
import { CARD_KEY_ORDER, CARD_KEYS } from "./answer-keys.ts";

interface KeySheetProps {
  /** Those that do something in this window. */
  readonly keys: readonly PageKeyName[];
}

/** Every key, from the tables that bind them; opened by one of them, which answers nothing. */
export function KeySheet({ keys }: KeySheetProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const pressed = (event: KeyboardEvent): void => {
      if (!isPageKey("key_sheet", event)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", pressed, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return (
    <FormDialog
      title={t("key_sheet.title")}
      testId="key-sheet"
      isOpen={open}
      onClose={() => setOpen(false)}
    >
      <dl className="key-sheet">
        {CARD_KEY_ORDER.map((key) => (
          <Row key={key} keys={CARD_KEYS[key]} does={t(`key_sheet.card.${key}`)} />
        ))}
        {keys.map((name) => (
          <Row key={name} keys={keyShown(name)} does={t(`key_sheet.key.${name}`)} />
        ))}
      </dl>
      <p className="muted">{t("key_sheet.means")}</p>
      <div className="button-row">
        <Button autoFocus data-testid="key-sheet-close" onPress={() => setOpen(false)}>
          {t("app.close")}
        </Button>
      </div>
    </FormDialog>
  );
}

function Row({ keys, does }: { readonly keys: string; readonly does: string }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{does}</dd>
    </div>
  );
}
