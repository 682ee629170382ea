import { useState } from "react";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

/** One line to copy; it can be selected by hand if the browser denies clipboard access. */
export function CopyLine({ text }: { readonly text: string }) {
  const { t } = useTexts();
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      setOutcome("failed");
    }
  };
  return (
    <div className="copy-line">
      <code>{text}</code>
      <button type="button" className="quiet" onClick={() => void copy()}>
        <Icon name="copy" />
        {outcome === "copied" ? t("app.copied") : t("app.copy")}
      </button>
      <span role="status" className="copy-failed">
        {outcome === "failed" ? t("app.copy_failed") : null}
      </span>
    </div>
  );
}
