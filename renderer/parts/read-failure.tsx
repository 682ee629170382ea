import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

interface ReadFailureProps {
  readonly code: BridgeErrorCode;
  /** What failed, in a sentence, if it was not reading. */
  readonly words?: string;
  readonly onRetry: () => void;
}

/** Shown instead of what could not be read or found out: why, and a button to try again. */
export function ReadFailure({ code, words, onRetry }: ReadFailureProps) {
  const { t, gap } = useTexts();
  return (
    <div className="read-failure" role="alert" data-testid="read-failure" data-code={code}>
      <Icon name="high" />
      <p className="read-failure-words">
        {(words ?? t("app.not_read")) + gap + t(`bridge_error.${code}`)}
      </p>
      <Button
        data-testid="read-again"
        onPress={() => {
          // Pressing the button removes it; this keeps the focus on the page.
          document.getElementById("content")?.focus({ preventScroll: true });
          onRetry();
        }}
      >
        {t("app.try_again")}
      </Button>
    </div>
  );
}
