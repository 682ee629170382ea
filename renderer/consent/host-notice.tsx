import { hostText, type NetworkHost } from "../../app/contract/network-host.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface HostNoticeProps {
  readonly host: NetworkHost;
  /** The agent's displayed name. */
  readonly agent: string;
}

/**
 * Says, before the person answers, that the call wants to reach this computer or their own network.
 */
export function HostNotice({ host, agent }: HostNoticeProps) {
  const { t } = useTexts();
  return (
    <div className="host-notice" data-testid="consent-host">
      <p className="caution">{t("consent.host_notice")}</p>
      <p className="mono">
        <strong>
          <VisibleText text={hostText(host)} />
        </strong>
      </p>
      <p className="muted">{t("consent.host_means", { agent })}</p>
    </div>
  );
}
