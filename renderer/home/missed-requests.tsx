import { useId } from "react";
import { Button } from "react-aria-components";
import type { MissedRequest, RecalledCall } from "../../app/bridge/consent-views.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { toolLabel } from "../../i18n/index.ts";
import { callAddress } from "../activity/call-address.ts";
import { AskedBox, useRecalled } from "../calls/call-contents.tsx";
import { TargetLine } from "../calls/target-line.tsx";
import { useAct, useAgent, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ReadFailure } from "../parts/empty.tsx";
import { CallFold } from "../parts/fold.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { useAgentLabel } from "../text/agent-labels.ts";
import { askedLine } from "../text/argument-rows.ts";
import { shortTime } from "../text/format.ts";

/** Requests that ended unanswered since the person last dismissed this list. */
export function MissedRequests() {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const { missed } = useSnapshot();
  if (missed.requests.length === 0) return null;
  return (
    <section className="card missed" aria-labelledby={id} data-testid="missed-requests">
      <div className="section-head">
        <h2 id={id}>{t("missed.title")}</h2>
        <Button data-testid="missed-dismiss" onPress={() => void act("missed.dismiss", {})}>
          {t("missed.dismiss")}
        </Button>
      </div>
      <p className="muted">{t("missed.body")}</p>
      <ul className="rows">
        {missed.requests.map((request) => (
          <MissedRow
            request={request}
            key={`${request.agent_id} ${request.call_id} ${request.ended_at}`}
          />
        ))}
      </ul>
      {missed.more === 0 ? null : (
        <p className="muted">{t("missed.more", { count: missed.more })}</p>
      )}
    </section>
  );
}

interface MissedRowProps {
  readonly request: MissedRequest;
}

export function MissedRow({ request }: MissedRowProps) {
  const { t, language } = useTexts();
  const { agent_id, call_id, tool_name, asked_at, why } = request;
  const { state, again } = useRecalled(request);
  const call = state.kind === "found" ? state.found : null;
  return (
    <li className="row missed-row" data-testid="missed-row" data-tool={tool_name} data-why={why}>
      <span className="grow">
        <a href={callAddress(agent_id, call_id)} className="call-link" data-testid="missed-call">
          <Asked request={request} call={call} />
        </a>
        <Asker request={request} />
      </span>
      <time className="muted nowrap" dateTime={new Date(asked_at).toISOString()}>
        {shortTime(language, asked_at, Date.now())}
      </time>
      {state.kind === "failed" ? <ReadFailure code={state.code} onRetry={again} /> : null}
      {call === null || Object.keys(call.arguments).length === 0 ? null : (
        <div className="call-contents">
          <CallFold title={t("calls.asked")} testId="missed-asked">
            <AskedBox call={call} />
          </CallFold>
        </div>
      )}
      {state.kind === "found" && call === null ? (
        <span className="muted">{t("missed.not_kept")}</span>
      ) : null}
    </li>
  );
}

interface AskedProps extends MissedRowProps {
  readonly call: RecalledCall | null;
}

/** What it was about; for an unknown tool, its arguments. */
function Asked({ request, call }: AskedProps) {
  const { language } = useTexts();
  const { agent_id, tool_name } = request;
  const { roots = [] } = useAgent(agent_id) ?? {};
  if (call === null) return <VisibleText text={toolLabel(language, tool_name)} />;
  const target = callTarget({
    tool_name,
    arguments: call.arguments,
    preview: null,
    folders: roots.map(({ path }) => path),
  });
  const line = target.kind === "other" ? askedLine(call.arguments) : null;
  return (
    <>
      <TargetLine target={target} toolName={tool_name} />
      {line === null ? null : (
        <span className="missed-asked">
          <bdi>{line}</bdi>
        </span>
      )}
    </>
  );
}

function Asker({ request: { agent_id, agent_name, why } }: MissedRowProps) {
  const { t } = useTexts();
  const label = useAgentLabel(agent_id, agent_name);
  const petname = useAgent(agent_id)?.petname ?? null;
  return (
    <span className="muted">
      <VisibleText text={label} />
      {petname === null ? null : (
        <>
          {" "}
          ({t("agents.calls_itself")} <VisibleText text={agent_name} />)
        </>
      )}
      {" · "}
      {t(`reason.${why}`)}
    </span>
  );
}
