import { useState } from "react";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";
import { VisibleText } from "./visible-text.tsx";

interface FactProps {
  readonly name: string;
  readonly text: string;
  /** The word in the log, if `text` is its translation. */
  readonly detail?: string;
}

export function Fact({ name, text, detail }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <VisibleText text={text} />
        {detail === undefined || detail === text ? null : (
          <VisibleText within="code" className="muted" text={detail} />
        )}
      </dd>
    </div>
  );
}

export const CopyFact = ({ name, text }: Readonly<{ name: string; text: string }>) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <CopyLine text={text} />
    </dd>
  </div>
);

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
