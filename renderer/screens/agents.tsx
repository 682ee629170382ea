import { AddById } from "../agents/add-by-id.tsx";
import { AddByManifest } from "../agents/add-by-manifest.tsx";
import { AgentSection } from "../agents/agent-section.tsx";
import { ConnectApps } from "../agents/connect-apps.tsx";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { NoAgents } from "./home.tsx";
import { Pairings } from "./pairing.tsx";
import { useLinkedAgent } from "./use-linked-agent.ts";

export function Agents() {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const linked = useLinkedAgent();
  return (
    <>
      <h1>{t("nav.agents")}</h1>
      <p className="lede">{t("agents.lede")}</p>
      <Pairings />
      {agents.length === 0 ? <NoAgents /> : null}
      {agents.map((agent) => (
        <AgentSection agent={agent} key={agent.agent_id} />
      ))}
      <AddById key={linked} linked={linked} />
      <ConnectApps>
        <AddByManifest />
      </ConnectApps>
    </>
  );
}
