import { useState } from "react";
import { Button } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { visibleBlock } from "../text/visible-text.ts";

interface CopyIconButtonProps {
  readonly text: string;
  /** What it copies, for screen readers. */
  readonly label: string;
}

/** Copies the text as displayed: invisible characters stay escapes. */
export function CopyIconButton({ text, label }: CopyIconButtonProps) {
  const { t } = useTexts();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(visibleBlock(text));
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <Button
      className="quiet copy-icon"
      aria-label={copied ? t("app.copied") : label}
      data-copied={copied}
      onPress={() => void copy()}
    >
      <Icon name={copied ? "ok" : "copy"} />
    </Button>
  );
}
