import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

interface ReadFailureProps {
  readonly code: BridgeErrorCode;
  readonly onRetry: () => void;
}

/** In the place of what could not be read: why, and to try again. */
export function ReadFailure({ code, onRetry }: ReadFailureProps) {
  const { t } = useTexts();
  return (
    <div className="read-failure" role="alert" data-testid="read-failure" data-code={code}>
      <Icon name="high" />
      <p className="read-failure-words">
        {t("app.not_read")} {t(`bridge_error.${code}`)}
      </p>
      <Button
        data-testid="read-again"
        onPress={() => {
          // The button goes with its press: the focus stays on the page.
          document.getElementById("content")?.focus({ preventScroll: true });
          onRetry();
        }}
      >
        {t("app.try_again")}
      </Button>
    </div>
  );
}
