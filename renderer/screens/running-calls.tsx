import type { RunningView } from "../../app/bridge/views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { CallProgress, OutputTail } from "../parts/call-progress.tsx";
import { CallWords, callText } from "../parts/call-words.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { timeLeft } from "../text/format-time.ts";

/** The calls that are running, each with a button to stop it. */
export function RunningCalls() {
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
