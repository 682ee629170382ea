import { type ReactNode, useState } from "react";
import { Button, Disclosure, DisclosurePanel } from "react-aria-components";
import type { CallItem, ConversationView } from "../../app/bridge/conversation-views.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { callAddress } from "../activity/call-address.ts";
import { CallContents } from "../calls/call-contents.tsx";
import { CallProgress, CallWords, callText, OutputTail, StatusWord } from "../calls/call-words.tsx";
import { TakeBack } from "../calls/take-back.tsx";
import { useAct, useAgent, useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { SensitivityBadge } from "../parts/scope-list.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { useAgentLabel } from "../text/agent-labels.ts";
import { errorCodeText, whyText } from "../text/codes.ts";
import { duration, timeLeft } from "../text/format.ts";
import { useSenderName } from "./names.ts";
import { addressOf } from "./open-address.ts";
import { clockTime } from "./times.ts";

export function CallEntry({ item, view }: Readonly<{ item: CallItem; view: ConversationView }>) {
  const texts = useTexts();
  const { t, language } = texts;
  const tool = callText(texts, item);
  const sender = useSenderName(view, item.agent_id);
  const shown = useWithHeldDenial(item);
  return (
    <article
      className="call-entry"
      data-testid="call-entry"
      data-status={shown.status}
      data-tool={item.tool_name}
      data-call-id={item.call_id}
      aria-label={t("conversations.call_of", { sender, tool })}
    >
      <CallLine item={shown}>
        <CallScope item={item} />
        <CallOutcome item={shown} />
        <CallContents item={item} />
        <TakeBack call={item} />
        <footer className="muted call-foot">
          <time dateTime={new Date(item.at).toISOString()}>{clockTime(language, item.at)}</time>
          {view.kind === "group" ? <span>{sender}</span> : null}
          <Took item={item} />
          <LogLink item={item} />
          {item.status === "running" ? <CancelButton item={item} tool={tool} /> : null}
        </footer>
      </CallLine>
    </article>
  );
}

/** A call that was denied is still sent as waiting until the denial can no longer be taken back. */
function useWithHeldDenial(item: CallItem): CallItem {
  const isDenied = useShown(({ denials }) =>
    denials.some(({ denial }) => denial.card.request_id === item.request_id),
  );
  return isDenied ? { ...item, status: "denied", reason: "user_refused" } : item;
}

/** A call that is over is one line until the person opens it. */
function CallLine({ item, children }: Readonly<{ item: CallItem; children: ReactNode }>) {
  const [open, setOpen] = useState(false);
  const line = (
    <>
      <span className="call-tool">
        <CallWords call={item} />
      </span>
      <StatusWord status={item.status} />
      <Why item={item} />
    </>
  );
  if (!isOver(item)) {
    return (
      <>
        <header>{line}</header>
        {children}
      </>
    );
  }
  return (
    <Disclosure className="call-line" isExpanded={open} onExpandedChange={setOpen}>
      <Button slot="trigger" className="quiet" data-testid="call-open">
        {line}
        <span className="call-unfold">
          <Icon name="unfold" />
        </span>
      </Button>
      <DisclosurePanel>{open ? children : null}</DisclosurePanel>
    </Disclosure>
  );
}

/** Why it did not run or not succeed, also while it is folded. */
function Why({ item }: { readonly item: CallItem }) {
  const { t } = useTexts();
  const { status, error_code } = item;
  if (status !== "denied" && status !== "error" && status !== "cancelled") return null;
  return (
    <span className="muted call-why" data-testid="call-why">
      {whyText(t, item) || errorCodeText(t, error_code)}
    </span>
  );
}

/** Nothing about it is left to do: it neither waits nor runs, nor leads to another place to ask. */
function isOver({ status, reason }: CallItem): boolean {
  switch (status) {
    case "waiting":
    case "running":
    case "interrupted":
      return false;
    case "ok":
    case "cancelled":
      return true;
    case "denied":
    case "error":
      return reason !== "tool_not_supported_in_group";
    default:
      return assertNever(status);
  }
}

/** The permission in words, with its sensitivity if the agent's data has it. */
function CallScope({ item }: { readonly item: CallItem }) {
  const { language } = useTexts();
  const { grants = [] } = useAgent(item.agent_id) ?? {};
  const scope = grants.find((grant) => grant.scope.id === item.scope)?.scope;
  return (
    <p className="call-scope">
      <VisibleText text={scopeLabel(language, scope ?? { id: item.scope })} />
      {scope === undefined ? null : <SensitivityBadge level={scope.sensitivity} />}
    </p>
  );
}

function CallOutcome({ item }: { readonly item: CallItem }) {
  const { t } = useTexts();
  const { status, reason } = item;
  switch (status) {
    case "waiting":
      return <p>{t("conversations.waits_for_you")}</p>;
    case "running":
      return <Elapsed item={item} />;
    case "interrupted":
      return <p>{t("activity.interrupted_means")}</p>;
    case "ok":
      return null;
    case "denied":
    case "error":
    case "cancelled":
      return (
        <>
          {isOver(item) ? null : <Why item={item} />}
          {reason === "tool_not_supported_in_group" ? <PrivateWay agentId={item.agent_id} /> : null}
        </>
      );
  }
}

function Took({ item }: { readonly item: CallItem }) {
  const { t, language } = useTexts();
  const { status, at, ended_at } = item;
  if (status !== "ok" || ended_at === null) return null;
  return <span>{t("conversations.took", { time: duration(language, ended_at - at) })}</span>;
}

function Elapsed({ item }: { readonly item: CallItem }) {
  const { language } = useTexts();
  const { running } = useSnapshot();
  const call = running.find(
    ({ agent_id, call_id }) => agent_id === item.agent_id && call_id === item.call_id,
  );
  const since = useNow(wallClock, 1000) - (call?.arrived_at ?? item.at);
  const progress = call?.progress ?? null;
  return (
    <>
      <p className="call-elapsed">
        <span data-testid="call-elapsed">{timeLeft(language, since)}</span>
        <CallProgress progress={progress} />
      </p>
      <OutputTail progress={progress} />
    </>
  );
}

function CancelButton({ item, tool }: { readonly item: CallItem; readonly tool: string }) {
  const { t } = useTexts();
  const act = useAct();
  const { agent_id, call_id } = item;
  return (
    <Button
      data-testid="call-cancel"
      aria-label={t("home.cancel_call", { tool })}
      onPress={() => void act("running.cancel", { agent_id, call_id })}
    >
      {t("app.cancel")}
    </Button>
  );
}

/** A link to its line in the log; a waiting call has none yet. */
function LogLink({ item }: { readonly item: CallItem }) {
  const { t } = useTexts();
  if (item.line_id === null) return null;
  return (
    <a href={callAddress(item.agent_id, item.call_id)} data-testid="call-log-link">
      {t("conversations.in_the_log")}
    </a>
  );
}

/** Below a call that was refused because it came from a group: where the agent can ask. */
function PrivateWay({ agentId }: { readonly agentId: string }) {
  const { t, gap } = useTexts();
  const label = useAgentLabel(agentId, "");
  const agent = useAgent(agentId);
  if (agent === undefined || agent.conversation_id === null) return null;
  return (
    <p>
      {t("groups.ask_privately") + gap}
      <a href={addressOf(agent.conversation_id)} data-testid="private-way">
        {t("conversations.with", { agent: label })}
      </a>
    </p>
  );
}
