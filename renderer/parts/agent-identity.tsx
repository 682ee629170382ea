import { type AgentNames, shownName } from "../../app/bridge/agent-names.ts";
import { useTexts } from "../language.tsx";
import { AgentPicture } from "./agent-picture.tsx";
import { VisibleText } from "./visible-text.tsx";

interface AgentIdentityProps extends AgentNames {
  readonly fingerprint: string;
}

/** The name an agent gave itself, never without the key that proves which agent it is. */
export function AgentIdentity({ name, petname, fingerprint }: AgentIdentityProps) {
  const { t } = useTexts();
  return (
    <span className="identity">
      <AgentPicture fingerprint={fingerprint} />
      <span className="identity-texts">
        <span className="identity-name">
          <VisibleText text={shownName({ name, petname })} />
        </span>
        {petname === null ? null : (
          <span className="muted" data-testid="original-name">
            {t("agents.calls_itself")} <VisibleText text={name} />
          </span>
        )}
        <span className="fingerprint" title={t("agents.fingerprint")}>
          <span className="unseen">{t("agents.fingerprint")} </span>
          <VisibleText text={fingerprint} />
        </span>
      </span>
    </span>
  );
}
