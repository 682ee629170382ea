import { Button } from "react-aria-components";
import type { ActivityRow } from "../../app/bridge/views.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { TAKE_BACK } from "../../app/contract/tool-call.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { SuspendButton } from "../agents/suspend-button.tsx";
import { CallContents } from "../calls/call-contents.tsx";
import { CallWords, StatusWord } from "../calls/call-words.tsx";
import { TakeBack } from "../calls/take-back.tsx";
import { useConversationName } from "../conversations/names.ts";
import { useAgent } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { CopyLine, Fact } from "../parts/fact.tsx";
import { useAgentLabel } from "../text/agent-labels.ts";
import { errorCodeText, reasonOf, reasonText } from "../text/codes.ts";
import { dateTime, duration } from "../text/format.ts";
import { partsOf } from "../text/target-words.ts";
import type { LogFilter } from "./log-filter.ts";
import { SidePanel } from "./side-panel.tsx";
import { WhyUnasked } from "./why-unasked.tsx";

interface RowDetailsProps {
  /** Null: closed. */
  readonly row: ActivityRow | null;
  readonly onClose: () => void;
  /** Filters the log for calls that are like this one in these respects. */
  readonly onNarrow: (part: Partial<LogFilter>) => void;
}

export function RowDetails({ row, onClose, onNarrow }: RowDetailsProps) {
  return (
    <SidePanel
      title={row === null ? null : <CallWords call={row} />}
      isOpen={row !== null}
      onClose={onClose}
      testId="activity-details"
    >
      {row === null ? null : <Details row={row} onNarrow={onNarrow} />}
    </SidePanel>
  );
}

interface DetailsProps {
  readonly row: ActivityRow;
  readonly onNarrow: RowDetailsProps["onNarrow"];
}

function Details({ row, onNarrow }: DetailsProps) {
  const { t } = useTexts();
  return (
    <>
      <StatusWord status={row.status} />
      <CarriedOutElsewhere row={row} />
      {row.status === "interrupted" && row.decided_by !== "contract" ? (
        <p>{t("activity.interrupted_means")}</p>
      ) : null}
      {row.target === undefined ? null : <CallContents item={row} />}
      <TakeBack call={row} />
      <WhyUnasked row={row} onNarrow={onNarrow} />
      <DecisionFacts row={row} />
      <h3>{t("activity.call_id")}</h3>
      <CopyLine text={row.call_id} />
      <h3>{t("activity.digest")}</h3>
      <CopyLine text={row.arguments_digest} />
      <NarrowButtons row={row} onNarrow={onNarrow} />
    </>
  );
}

/** An agent with hooks does itself what was allowed here. */
function CarriedOutElsewhere({ row }: { readonly row: ActivityRow }) {
  const { t } = useTexts();
  const agent = useAgent(row.agent_id);
  if (
    agent?.delivery !== "hook" ||
    row.tool_name === TAKE_BACK ||
    (row.status !== "ok" && row.carried_out === null)
  )
    return null;
  const said = row.carried_out ?? "unknown";
  return (
    <p data-testid="activity-carried-out" data-said={said}>
      {t(`activity.carried_out.${said}`)}
    </p>
  );
}

function DecisionFacts({ row }: { readonly row: ActivityRow }) {
  const { t, language } = useTexts();
  const scope = { id: row.scope };
  const reason = reasonOf(row);
  const conversation = useConversationName(row.conversation_id);
  return (
    <dl className="facts">
      <AgentLines row={row} />
      <Fact name={t("activity.tool")} text={row.tool_name} />
      <Fact name={t("activity.scope")} text={scopeLabel(language, scope)} detail={row.scope} />
      <Fact name={t("activity.decided_by")} text={t(`decided_by.${row.decided_by}`)} />
      {reason === null ? null : (
        <Fact name={t("activity.reason")} text={reasonText(t, reason)} detail={reason} />
      )}
      {row.error_code === null ? null : (
        <Fact
          name={t("activity.error_code")}
          text={errorCodeText(t, row.error_code)}
          detail={row.error_code}
        />
      )}
      <Fact name={t("activity.time")} text={dateTime(language, row.timestamp)} />
      {row.duration_ms === null ? null : (
        <Fact name={t("activity.duration")} text={duration(language, row.duration_ms)} />
      )}
      <Fact name={t("agents.conversation")} text={conversation} detail={row.conversation_id} />
    </dl>
  );
}

/** Identifies the agent beyond its displayed name: the name it claims, and its key. */
function AgentLines({ row: { agent_id, agent_name } }: { readonly row: ActivityRow }) {
  const { t } = useTexts();
  const label = useAgentLabel(agent_id, agent_name);
  const agent = useAgent(agent_id);
  return (
    <>
      <Fact name={t("activity.agent")} text={label} detail={agent_id} />
      {agent === undefined || agent.petname === null ? null : (
        <Fact name={t("activity.claimed_name")} text={agent.name} />
      )}
      {agent === undefined || agent.key_mark.kind === "none" ? null : (
        <Fact
          name={t("activity.present_key")}
          text={
            agent.key_mark.kind === "known"
              ? agent.key_mark.fingerprint
              : t(`agents.key_is.${agent.key_mark.kind}`)
          }
        />
      )}
    </>
  );
}

function NarrowButtons({ row, onNarrow }: DetailsProps) {
  const { t } = useTexts();
  const about = row.target === undefined ? null : subjectOf(row.target);
  return (
    <div className="button-row">
      {about === null ? null : (
        <Button
          data-testid="activity-same-subject"
          onPress={() => onNarrow({ find: about.text, agent_id: null })}
        >
          {t(`activity.only_${about.kind}`)}
        </Button>
      )}
      <Button onPress={() => onNarrow({ agent_id: row.agent_id })}>
        {t("activity.only_agent")}
      </Button>
      <Button onPress={() => onNarrow({ tool_name: row.tool_name })}>
        {t("activity.only_tool")}
      </Button>
      <Button
        data-testid="activity-same-arguments"
        onPress={() => onNarrow({ find: row.arguments_digest })}
      >
        {t("activity.only_digest")}
      </Button>
      <SuspendButton agentId={row.agent_id} />
    </div>
  );
}

function subjectOf(target: CallTarget): { kind: "path" | "host"; text: string } | null {
  for (const [, part] of partsOf(target)) {
    if (part.kind === "path") return { kind: "path", text: part.path };
    if (part.kind === "address") return { kind: "host", text: part.host };
  }
  return null;
}
