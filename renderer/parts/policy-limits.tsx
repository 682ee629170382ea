import type { AgentDetails, ManagedAgent } from "../../app/bridge/agent-views.ts";
import { useTexts } from "../language.tsx";

/** What an agent with hooks carries out itself is held to no folder and no host. */
export const isLimited = ({ delivery }: Pick<AgentDetails, "delivery">): boolean =>
  delivery !== "hook";

/** That an administrator's policy does not allow the agent's key. */
export function NotAllowedNote(props: { readonly of: ManagedAgent }) {
  const { t } = useTexts();
  if (!props.of.not_allowed) return null;
  return (
    <p className="caution" data-testid="not-allowed">
      {t("policy.not_allowed")}
    </p>
  );
}
