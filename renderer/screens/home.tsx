import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ModelCard } from "../model/model-card.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { AgentState } from "../parts/agent-state.tsx";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import type { PageName } from "../parts/navigation.tsx";
import { PauseButton } from "../parts/pause-button.tsx";
import { TurnedAwayNote } from "../parts/turned-away.tsx";
import { changedAgents } from "../state/changed-agents.ts";
import { MissedRequests } from "./missed-requests.tsx";
import { Pairings } from "./pairing.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { RunningCalls } from "./running-calls.tsx";
import { ConnectAnother, SampleAgentButton, Welcome } from "./welcome.tsx";

interface HomeProps {
  readonly onChoose: (page: PageName) => void;
}

export function Home({ onChoose }: HomeProps) {
  const { agents } = useSnapshot();
  const { t } = useTexts();
  if (agents.length === 0) {
    return (
      <>
        <Pairings />
        <Welcome />
      </>
    );
  }
  return (
    <>
      <div className="section-head">
        <h1>{t("nav.home")}</h1>
        <PauseButton />
      </div>
      <Pairings />
      <ChangedAgents onChoose={onChoose} />
      <TurnedAway />
      <MissedRequests />
      <RunningCalls />
      <section>
        <div className="section-head">
          <h2>{t("nav.agents")}</h2>
          <SampleAgentButton primary={false} />
        </div>
        <ul className="rows">
          {agents.map((agent) => (
            <li className="row row-line" key={agent.agent_id}>
              <AgentIdentity {...agent} />
              <AgentState {...agent} />
            </li>
          ))}
        </ul>
        <ConnectAnother />
      </section>
      <ModelCard />
      <section>
        <div className="section-head">
          <h2>{t("home.recent")}</h2>
          <button type="button" className="quiet" onClick={() => onChoose("activity")}>
            {t("home.all_activity")}
          </button>
        </div>
        <RecentActivity />
      </section>
    </>
  );
}

function TurnedAway() {
  const act = useAct();
  const { turned_away } = useSnapshot();
  return <TurnedAwayNote view={turned_away} onSeen={() => void act("turned_away.seen", {})} />;
}

/** Each agent's section contains its question. */
function ChangedAgents({ onChoose }: HomeProps) {
  const { t } = useTexts();
  const count = changedAgents(useSnapshot().agents);
  if (count === 0) return null;
  return (
    <div className="waiting" data-testid="home-reconsent">
      <Icon name="waiting" />
      <p>{t("home.reconsent", { count })}</p>
      <button type="button" className="quiet" onClick={() => onChoose("agents")}>
        {t("home.reconsent_look")}
      </button>
    </div>
  );
}

export function NoAgents() {
  const { t } = useTexts();
  return (
    <Empty icon="agents" title={t("agents.empty_title")} body={t("agents.empty_body")}>
      <SampleAgentButton primary />
    </Empty>
  );
}
