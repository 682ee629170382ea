import type { RunningView } from "../../app/bridge/consent-views.ts";
import { callAddress } from "../activity/call-address.ts";
import { keepsName } from "../activity/log-row.tsx";
import { CallProgress, CallWords, callText, OutputTail, StatusWord } from "../calls/call-words.tsx";
import { useAct, useHost, useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ModelPanel } from "../model/model-panel.tsx";
import { AgentIdentity, AgentState } from "../parts/agent-identity.tsx";
import { PauseButton } from "../parts/banners.tsx";
import { Empty, ReadFailure } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { changedAgents, type PageName } from "../parts/navigation.tsx";
import { TurnedAwayNote } from "../parts/turned-away.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { readRecent } from "../state/follow-host.ts";
import { labelOf, programsOf, useAgentLabel, useAgentLabels } from "../text/agent-labels.ts";
import { whyText } from "../text/codes.ts";
import { shortTime, timeLeft } from "../text/format.ts";
import { FoundApps } from "./found-apps.tsx";
import { MissedRequests } from "./missed-requests.tsx";
import { Today } from "./today.tsx";
import { ConnectAnother, SampleAgentButton, Welcome } from "./welcome.tsx";

interface HomeProps {
  readonly onChoose: (page: PageName) => void;
}

export function Home({ onChoose }: HomeProps) {
  const { agents } = useSnapshot();
  const { t } = useTexts();
  if (agents.length === 0) return <Welcome />;
  return (
    <>
      <div className="section-head">
        <h1>{t("nav.home")}</h1>
        <PauseButton />
      </div>
      <ChangedAgents onChoose={onChoose} />
      <TurnedAway />
      <RunningCalls />
      <div className="home-columns">
        <section>
          <div className="section-head">
            <h2>{t("home.agents")}</h2>
            <SampleAgentButton primary={false} />
          </div>
          <FoundApps />
          <ul className="rows">
            {programsOf(agents).map((halves) => {
              const agent = halves.find(({ online }) => online) ?? halves[0];
              return agent === undefined ? null : (
                <li className="row row-line" key={agent.agent_id}>
                  <AgentIdentity of={agent} />
                  <AgentState {...agent} />
                </li>
              );
            })}
          </ul>
          <ModelPanel />
          <ConnectAnother />
        </section>
        <div>
          <Today />
          <MissedRequests />
        </div>
      </div>
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

export function RecentActivity() {
  const { t, language } = useTexts();
  const labels = useAgentLabels();
  const rows = useShown((shown) => shown.recent);
  const { bridge, store } = useHost();
  const failure = useShown((shown) => shown.failures.recent);
  if (failure !== null) {
    return <ReadFailure code={failure} onRetry={() => void readRecent(bridge, store)} />;
  }
  if (rows === null) {
    return (
      <p className="muted" role="status">
        {t("activity.loading")}
      </p>
    );
  }
  if (rows.length === 0) return <p className="muted">{t("home.no_recent")}</p>;
  return (
    <ul className="rows recent">
      {rows.map((row) => (
        <li className="row" key={row.line_id}>
          <StatusWord status={row.status} />
          <a
            href={callAddress(row.agent_id, row.call_id)}
            className={keepsName(row) ? "call-link" : "call-link log-names-only"}
            data-testid="recent-call"
          >
            <CallWords call={row} />
          </a>
          <span className="recent-who muted">
            <VisibleText text={labelOf(labels, row.agent_id, row.agent_name)} />
            {row.reason === null ? "" : ` · ${whyText(t, row)}`}
          </span>
          <time className="muted" dateTime={new Date(row.timestamp).toISOString()}>
            {shortTime(language, row.timestamp, Date.now())}
          </time>
        </li>
      ))}
    </ul>
  );
}

function RunningCalls() {
  const { t } = useTexts();
  const { running } = useSnapshot();
  if (running.length === 0) return null;
  return (
    <section data-testid="running-calls">
      <h2>{t("home.running")}</h2>
      <ul className="rows">
        {running.map((call) => (
          <RunningRow call={call} key={`${call.agent_id} ${call.call_id}`} />
        ))}
      </ul>
    </section>
  );
}

function RunningRow({ call }: { readonly call: RunningView }) {
  const act = useAct();
  const { agent_id, call_id } = call;
  const texts = useTexts();
  const { t, language } = texts;
  const agent = useAgentLabel(agent_id, call.agent_name);
  const since = useNow(wallClock, 1000) - call.arrived_at;
  return (
    <li className="row" data-testid="running-row" data-call-id={call_id}>
      <StatusWord status="running" />
      <span className="grow">
        <CallWords call={call} />
        <span className="muted">
          <VisibleText text={agent} /> · {timeLeft(language, since)}
        </span>
        <OutputTail progress={call.progress} />
      </span>
      <CallProgress progress={call.progress} />
      <button
        type="button"
        data-testid="cancel-call"
        aria-label={t("home.cancel_call", { tool: callText(texts, call) })}
        onClick={() => void act("running.cancel", { agent_id, call_id })}
      >
        {t("app.cancel")}
      </button>
    </li>
  );
}
