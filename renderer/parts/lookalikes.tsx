import type { PairingView } from "../../app/bridge/views.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { labelOfAgent } from "../text/agent-labels.ts";

/** Any agent may claim any name, so also that of one the person trusts. */
export function Lookalikes({ lookalikes }: Pick<PairingView, "lookalikes">) {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  return agents
    .filter(({ agent_id }) => lookalikes.includes(agent_id))
    .map((agent) => (
      <p className="caution" key={agent.agent_id} data-testid="pairing-lookalike">
        {t("pairing.lookalike", { agent: labelOfAgent(t, { ...agent, name_is_shared: true }) })}
      </p>
    ));
}
