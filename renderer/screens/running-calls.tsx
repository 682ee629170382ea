import type { RunningView, ToolProgressView } from "../../app/bridge/views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { CallWords, callText } from "../parts/call-words.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { byteSize } from "../text/format-size.ts";
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
        <Tail lines={call.progress?.tail ?? []} />
      </span>
      {call.progress === null ? null : <Progress progress={call.progress} />}
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

/** What a command wrote last. */
function Tail({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <pre className="output-tail" data-testid="output-tail">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines move up, and hold no state.
        <span key={at}>
          <VisibleText text={line} />
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

export function Progress({ progress }: { readonly progress: ToolProgressView }) {
  const { t, language } = useTexts();
  const { done, total, unit } = progress;
  const text =
    unit === "bytes" ? byteSize(language, done) : t(`home.progress.${unit}`, { count: done });
  return (
    <span className="muted nowrap">
      {text}
      {total === null || total === 0 ? null : (
        <progress value={Math.min(done, total)} max={total} aria-label={text} />
      )}
    </span>
  );
}
