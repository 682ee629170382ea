import { useState } from "react";
import { Button, ProgressBar } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ChainView } from "../../app/bridge/views.ts";
import type { Translate } from "../../i18n/index.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { faultKey } from "../text/codes.ts";
import { dateTime } from "../text/format.ts";
import { AcknowledgeRollback } from "./acknowledge-rollback.tsx";

export function VerifyLog() {
  const { t, language, gap } = useTexts();
  const { bridge } = useHost();
  const [failure, setFailure] = useState<BridgeErrorCode | null>(null);
  const [running, setRunning] = useState(false);
  const [verdict, setVerdict] = useState<ChainView | null>(null);
  const [percent, setPercent] = useState<number | null>(null);
  const verify = async (): Promise<void> => {
    setRunning(true);
    setVerdict(null);
    setFailure(null);
    setPercent(null);
    const listening = new AbortController();
    bridge.on(
      "activity.verifying",
      ({ verified, total }) => setPercent((verified * 100) / total),
      listening.signal,
    );
    try {
      setVerdict(await bridge.call("activity.verify", {}));
    } catch (error) {
      setFailure(errorCode(error));
    }
    listening.abort();
    setRunning(false);
  };
  return (
    <>
      <Button data-testid="activity-verify" isPending={running} onPress={() => void verify()}>
        {t("activity.verify")}
      </Button>
      <div className="verdict" role="status">
        {running ? <Progress percent={percent} /> : null}
        {failure === null ? null : (
          <p className="verdict-bad" data-testid="activity-verify-failed">
            {t("activity.not_verified") + gap + t(`bridge_error.${failure}`)}
          </p>
        )}
        {verdict === null ? null : (
          <p
            className={verdict.ok ? "verdict-ok" : "verdict-bad"}
            data-testid="activity-verify-result"
            data-ok={verdict.ok}
          >
            {verdictText(t, verdict)}
          </p>
        )}
        {verdict?.fault === "rolled_back" ? (
          <AcknowledgeRollback onDone={() => void verify()} />
        ) : null}
        {verdict?.acknowledged.map(({ first_lost, acknowledged_at }) => (
          <p key={acknowledged_at} data-testid="activity-acknowledged">
            {t("activity.acknowledged", {
              seq: first_lost,
              when: dateTime(language, acknowledged_at),
            })}
          </p>
        ))}
      </div>
    </>
  );
}

/** A small log is verified before the first percentage is reported. */
function Progress({ percent }: { readonly percent: number | null }) {
  const { t } = useTexts();
  const known =
    percent === null
      ? { isIndeterminate: true, className: "progress progress-unknown" }
      : { value: percent, className: "progress" };
  return (
    <ProgressBar {...known} aria-label={t("activity.verifying")}>
      {({ valueText }) => (
        <>
          <span>
            {t("activity.verifying")} {percent === null ? null : valueText}
          </span>
          <span className="progress-track">
            <span className="progress-done" style={{ inlineSize: `${percent ?? 0}%` }} />
          </span>
        </>
      )}
    </ProgressBar>
  );
}

function verdictText(t: Translate, { ok, verified, seq, fault }: ChainView): string {
  if (ok) return t("activity.verified", { count: verified });
  const words = t(faultKey(fault));
  return seq === null
    ? t("activity.verify_failed_nowhere", { fault: words })
    : t("activity.verify_failed", { seq, fault: words });
}
