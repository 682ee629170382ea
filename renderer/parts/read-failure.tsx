import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

interface ReadFailureProps {
  readonly code: BridgeErrorCode;
  readonly onRetry: () => void;
}

/** Shown instead of what could not be read: why, and a button to try again. */
export function ReadFailure({ code, onRetry }: ReadFailureProps) {
  const { t, gap } = useTexts();
  return (
    <div className="read-failure" role="alert" data-testid="read-failure" data-code={code}>
      <Icon name="high" />
      <p className="read-failure-words">{t("app.not_read") + gap + t(`bridge_error.${code}`)}</p>
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
