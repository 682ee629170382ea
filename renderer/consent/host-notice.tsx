import { hostText, type NetworkHost } from "../../app/contract/network-host.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface HostNoticeProps {
  readonly host: NetworkHost;
  /** What the agent is called, as drawn. */
  readonly agent: string;
}

/** The call wants to reach this computer or the person's own network: said before they answer. */
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
