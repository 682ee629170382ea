import { useState } from "react";
import type { ChainView } from "../../app/bridge/views.ts";
import type { Translate } from "../../i18n/index.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { faultKey } from "../text/codes.ts";

export function VerifyLog() {
  const { t } = useTexts();
  const { bridge, setFailure } = useHost();
  const [running, setRunning] = useState(false);
  const [verdict, setVerdict] = useState<ChainView | null>(null);
  const verify = async (): Promise<void> => {
    setRunning(true);
    setVerdict(null);
    try {
      setVerdict(await bridge.call("activity.verify", {}));
    } catch (error) {
      setFailure(errorCode(error));
    }
    setRunning(false);
  };
  return (
    <div className="verify">
      <p role="status">
        {running ? t("activity.verifying") : null}
        {verdict === null ? null : (
          <span
            className={verdict.ok ? "verdict-ok" : "verdict-bad"}
            data-testid="activity-verify-result"
            data-ok={verdict.ok}
          >
            {verdictText(t, verdict)}
          </span>
        )}
      </p>
      <button
        type="button"
        data-testid="activity-verify"
        disabled={running}
        onClick={() => void verify()}
      >
        {t("activity.verify")}
      </button>
    </div>
  );
}

function verdictText(t: Translate, { ok, verified, seq, fault }: ChainView): string {
  if (ok) return t("activity.verified", { count: verified });
  const words = t(faultKey(fault));
  return seq === null
    ? t("activity.verify_failed_nowhere", { fault: words })
    : t("activity.verify_failed", { seq, fault: words });
}
