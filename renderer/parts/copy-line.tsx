import { useState } from "react";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

/** One line to copy; it can be selected by hand where the browser gives no clipboard. */
export function CopyLine({ text }: { readonly text: string }) {
  const { t } = useTexts();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <div className="copy-line">
      <code>{text}</code>
      <button type="button" className="quiet" onClick={() => void copy()}>
        <Icon name="copy" />
        {copied ? t("app.copied") : t("app.copy")}
      </button>
    </div>
  );
}
