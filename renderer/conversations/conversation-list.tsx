import { useMemo } from "react";
import { ListBox, ListBoxItem } from "react-aria-components";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useAgent } from "../host-context.tsx";
import { type Texts, useTexts } from "../language.tsx";
import { AgentPicture } from "../parts/agent-identity.tsx";
import { Icon } from "../parts/icon.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import {
  type AgentLabel,
  type AgentLabels,
  bareLabel,
  useAgentLabels,
} from "../text/agent-labels.ts";
import { plainLine } from "./markdown/plain-line.ts";
import { senderName, titleOf, untitled } from "./names.ts";
import { shortTime } from "./times.ts";

interface ConversationListProps {
  readonly conversations: readonly ConversationView[];
  /** Null: none. */
  readonly open: string | null;
  readonly onOpen: (conversation_id: string) => void;
}

const MINUTE = 60_000;
/** Larger numbers are shown as "more than" this. */
const MOST = 99;

export function ConversationList({ conversations, open, onOpen }: ConversationListProps) {
  const texts = useTexts();
  const { t } = texts;
  const labels = useAgentLabels();
  const now = useNow(wallClock, MINUTE);
  return (
    <ListBox
      className="conversation-list"
      aria-label={t("conversations.list")}
      data-testid="conversation-list"
      items={conversations.map((view) => ({ id: view.conversation_id, view }))}
      dependencies={[texts.language, now, labels]}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={open === null ? [] : [open]}
      onSelectionChange={(keys) => {
        const [key] = [...keys];
        if (typeof key === "string") onOpen(key);
      }}
    >
      {({ id, view }) => (
        <ListBoxItem
          id={id}
          className="conversation-row"
          textValue={titleOf(texts, labels, view)}
          data-testid="conversation-row"
          data-kind={view.kind}
          data-unread={view.unread}
        >
          <RowParts view={view} now={now} texts={texts} labels={labels} />
        </ListBoxItem>
      )}
    </ListBox>
  );
}

interface RowPartsProps {
  readonly view: ConversationView;
  readonly now: number;
  readonly texts: Texts;
  readonly labels: AgentLabels;
}

/** An agent's key has its own line. */
function rowTitle(texts: Texts, labels: AgentLabels, view: ConversationView): AgentLabel {
  const label = view.kind === "direct" ? labels.get(view.agent_ids[0] ?? "") : undefined;
  return label ?? bareLabel(titleOf(texts, labels, view));
}

function RowParts({ view, now, texts, labels }: RowPartsProps) {
  const { t, language } = texts;
  const { name, key } = rowTitle(texts, labels, view);
  return (
    <>
      <ConversationSign view={view} />
      <span className="conversation-title">
        <span className="conversation-name">{name}</span>
        {view.kind === "direct" && view.relation === "active" ? (
          <span className="conversation-online" data-online={view.online}>
            <span className="dot" aria-hidden="true" />
            <span className="unseen">{view.online ? t("agents.online") : t("agents.offline")}</span>
          </span>
        ) : null}
      </span>
      {key === null ? null : <span className="conversation-key fingerprint">{key}</span>}
      <span className="conversation-time muted">
        {view.last_at === null ? null : shortTime(language, view.last_at, now)}
      </span>
      <span className="conversation-last muted">
        <LastWords view={view} texts={texts} labels={labels} />
      </span>
      {view.unread === 0 ? null : (
        <span className="count">
          <span aria-hidden="true">{view.unread > MOST ? `${MOST}+` : view.unread}</span>
          <span className="unseen">{t("conversations.unread", { count: view.unread })}</span>
        </span>
      )}
    </>
  );
}

/** The person's messages and data are shown as plain text, as in the conversation. */
const LITERAL: readonly ConversationView["last_content"][] = [
  "artifact",
  "blocks",
  "answer",
  "voice",
];
const isLiteral = ({ last_content, last_sender_id }: ConversationView, me: string | undefined) =>
  LITERAL.includes(last_content) || (last_content === "text" && last_sender_id === me);

function LastText({ text, literal }: { readonly text: string; readonly literal: boolean }) {
  const line = useMemo(
    () => (literal ? text.replaceAll(/\s+/g, " ") : plainLine(text)),
    [text, literal],
  );
  return <VisibleText text={line} />;
}

function LastWords(props: Readonly<{ view: ConversationView; texts: Texts; labels: AgentLabels }>) {
  const { view, texts, labels } = props;
  const { t } = texts;
  const { relation, kind, last_text, last_content, last_sender_id } = view;
  if (relation === "suspended" || relation === "revoked")
    return t(`agents.relation_is.${relation}`);
  if (last_text === null) return kind === "system" ? t("manifest.form_title") : null;
  const me = view.members.find(({ is_me }) => is_me)?.member_id;
  const named = last_sender_id !== null && (kind === "group" || last_sender_id === me);
  return (
    <>
      {named
        ? t("app.labelled", { label: senderName(texts, labels, view, last_sender_id), text: "" })
        : null}
      {untitled(t, last_content, last_text) ?? (
        <LastText text={last_text} literal={isLiteral(view, me)} />
      )}
    </>
  );
}

const SIGNS = { direct: "agents", group: "group", system: "settings" } as const;

/** The agent's picture, or the kind of conversation; the names beside it say the same. */
export function ConversationSign({ view }: { readonly view: ConversationView }) {
  const { kind, agent_ids } = view;
  const agent = useAgent(agent_ids[0]);
  if (kind === "direct" && agent !== undefined) return <AgentPicture mark={agent.key_mark} />;
  return (
    <span className="conversation-sign" data-kind={kind}>
      <Icon name={SIGNS[kind]} />
    </span>
  );
}
