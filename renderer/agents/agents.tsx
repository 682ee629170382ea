import { NoAgents } from "../home/home.tsx";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ProgramCards } from "../parts/agent-identity.tsx";
import { AddById, useLinkedAgent } from "./add-by-id.tsx";
import { AddByManifest } from "./add-by-manifest.tsx";
import { AgentSection } from "./agent-section.tsx";
import { ConnectApps } from "./connect-apps.tsx";
import { RegisterAgent } from "./register-agent.tsx";

export function Agents() {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const linked = useLinkedAgent();
  return (
    <>
      <h1>{t("nav.agents")}</h1>
      <p className="lede">{t("agents.lede")}</p>
      {agents.length === 0 ? <NoAgents /> : null}
      <ProgramCards
        agents={agents}
        draw={(agent, isPart) => (
          <AgentSection agent={agent} isPart={isPart} key={agent.agent_id} />
        )}
      />
      <AddById key={linked} linked={linked} />
      <RegisterAgent />
      <ConnectApps>
        <AddByManifest />
      </ConnectApps>
    </>
  );
}
