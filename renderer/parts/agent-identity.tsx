import { useTexts } from "../language.tsx";
import { VisibleText } from "./visible-text.tsx";

interface AgentIdentityProps {
  readonly name: string;
  readonly fingerprint: string;
}

/** The name an agent gave itself, never without the key that proves which agent it is. */
export function AgentIdentity({ name, fingerprint }: AgentIdentityProps) {
  const { t } = useTexts();
  return (
    <span className="identity">
      <span className="identity-name">
        <VisibleText text={name} />
      </span>
      <span className="fingerprint" title={t("agents.fingerprint")}>
        <span className="unseen">{t("agents.fingerprint")} </span>
        <VisibleText text={fingerprint} />
      </span>
    </span>
  );
}
