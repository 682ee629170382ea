import type { MissedRequest } from "../../app/bridge/agent-views.ts";
import type { RecalledCall } from "../../app/bridge/recalled-call.ts";
import { toolLabel } from "../../i18n/index.ts";
import { AskedBox } from "../calls/call-contents.tsx";
import { CallFold } from "../calls/call-fold.tsx";
import { useRecalled } from "../calls/use-recalled.ts";
import { approvalSubject } from "../consent/approval-subject.ts";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ReadFailure } from "../parts/read-failure.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { askedLine } from "../text/asked-line.ts";
import { shortTime } from "../text/format-time.ts";

interface MissedRowProps {
  readonly request: MissedRequest;
}

/** One request that was missed, with what it asked as long as the program remembers that. */
export function MissedRow({ request }: MissedRowProps) {
  const { t, language } = useTexts();
  const { tool_name, asked_at, why } = request;
  const recalled = useRecalled(request);
  const call = recalled.kind === "read" ? recalled.call : null;
  return (
    <li className="row missed-row" data-testid="missed-row" data-tool={tool_name} data-why={why}>
      <span className="grow">
        <Asked toolName={tool_name} call={call} />
        <Asker request={request} />
      </span>
      <time className="muted nowrap" dateTime={new Date(asked_at).toISOString()}>
        {shortTime(language, asked_at, Date.now())}
      </time>
      {recalled.kind === "failed" ? (
        <ReadFailure code={recalled.code} onRetry={recalled.again} />
      ) : null}
      {call === null || Object.keys(call.arguments).length === 0 ? null : (
        <div className="call-contents">
          <CallFold title={t("calls.asked")} testId="missed-asked">
            <AskedBox call={call} />
          </CallFold>
        </div>
      )}
      {recalled.kind === "read" && call === null ? (
        <span className="muted">{t("missed.not_kept")}</span>
      ) : null}
    </li>
  );
}

interface AskedProps {
  readonly toolName: string;
  readonly call: RecalledCall | null;
}

/** The one file it was about, else the tool with what it was told. */
function Asked({ toolName, call }: AskedProps) {
  const { t, language } = useTexts();
  const subject =
    call === null ? null : approvalSubject({ tool_name: toolName, arguments: call.arguments });
  if (subject !== null) return t(`missed.asked_to.${subject.tool}`, { name: subject.name });
  const line = call === null ? null : askedLine(call.arguments);
  return (
    <>
      <VisibleText text={toolLabel(language, toolName)} />
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
  const { agents } = useSnapshot();
  const label = useAgentLabel(agent_id, agent_name);
  const petname = agents.find((agent) => agent.agent_id === agent_id)?.petname ?? null;
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
      {t(`missed.why.${why}`)}
    </span>
  );
}
