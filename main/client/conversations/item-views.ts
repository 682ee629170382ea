import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import {
  type ArtifactView,
  type BlockView,
  type CallItem,
  type ConversationItem,
  type GivenAnswer,
  type MessageItem,
  type MessageState,
  SHOWN_TEXT_MAX,
  type VoiceView,
} from "../../../app/bridge/conversation-views.ts";
import type { ActivityRow } from "../../../app/bridge/views.ts";
import { readBlocks } from "../../../app/contract/artifacts/block.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { callTarget } from "../../../app/contract/target/call-target.ts";
import type {
  AnswerContent,
  ArtifactContent,
  MessageContent,
  StoredItem,
  VoiceContent,
} from "../../storage/index.ts";

/** Characters of data that are still indented: agents can nest it so that it becomes 64 times as long. */
const INDENTED_MAX = 65_536;

/** Enough digits for every number: ids are compared as text. */
const padded = (number: number): string => String(number).padStart(16, "0");

export const itemId = (number: number): string => `m${padded(number)}`;
export const numberOf = (id: string): number => Number(/^m(\d{16})$/.exec(id)?.[1] ?? -1);

/**
 * @param userId the person's own id, as the hub knows it
 * @param answerTo what was answered to an artifact
 */
export function storedItemView(
  item: StoredItem,
  userId: string,
  answerTo: (item: StoredItem) => AnswerContent | null,
): ConversationItem {
  const item_id = itemId(item.number);
  const { content, at } = item;
  if (content?.kind === "note") return { ...content, item_id, at };
  const text = content?.kind === "message" ? shownText(content) : textOf(content);
  const sender_id = content?.sender_id ?? "";
  return {
    kind: "message",
    item_id,
    at,
    message_id: item.message_id,
    seq: item.seq,
    sender_id,
    mine: item.client_message_id !== null || sender_id === userId,
    content: formatOf(content),
    text: shortened(text, SHOWN_TEXT_MAX),
    artifact: content?.kind === "artifact" ? artifactView(content, answerTo(item)) : null,
    truncated: text.length > SHOWN_TEXT_MAX,
    answers: content?.kind === "answer" ? answersView(content) : null,
    voice: content?.kind === "voice" ? voiceView(content) : null,
    state: stateOf(item),
    client_message_id: item.client_message_id,
  } satisfies MessageItem;
}

type MessageKind = Exclude<StoredItem["content"], { readonly kind: "note" }>;

/** The whole text as a page shows it. Data is indented where that cannot make it much too long. */
export const shownText = ({ content, text }: MessageContent): string =>
  content === "artifact" && text.length <= INDENTED_MAX
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text;

/** What is told of a message where only one line is drawn. */
export function textOf(content: MessageKind): string {
  switch (content?.kind) {
    case undefined:
      return "";
    case "message":
      return content.text;
    case "artifact":
      return content.state.title ?? "";
    case "answer":
      return content.label;
    case "voice":
      return "fault" in content.voice ? "" : (content.voice.transcript ?? "");
    default:
      return assertNever(content);
  }
}

export function formatOf(content: MessageKind): MessageItem["content"] {
  switch (content?.kind) {
    case undefined:
      return "unreadable";
    case "message":
      return content.content;
    case "artifact":
      return "blocks";
    case "answer":
    case "voice":
      return content.kind;
    default:
      return assertNever(content);
  }
}

/** A page gets what files contain only when the person wants to save one. */
function artifactView({ state }: ArtifactContent, answer: AnswerContent | null): ArtifactView {
  const { revision, title, waiting } = state;
  return {
    revision,
    title,
    blocks: readBlocks(state.blocks).map((block): BlockView => {
      if (block.tag !== "file") return block;
      const { data, ...about } = block;
      return { ...about, bytes: Buffer.byteLength(data, "base64") };
    }),
    missing: waiting.length > 0,
    answer: answer && { ref_action: answer.response.ref_action, values: answer.response.values },
  };
}

function answersView({ artifact, response }: AnswerContent): GivenAnswer {
  const { revision, ref_action, values } = response;
  return { item_id: itemId(artifact), revision, ref_action, values };
}

const voiceView = ({ voice }: VoiceContent): VoiceView =>
  "fault" in voice
    ? { duration_s: 0, fault: voice.fault }
    : { duration_s: voice.duration_s, fault: null };

function stateOf({ state, refusal }: StoredItem): MessageState {
  switch (state) {
    case "received":
    case "note":
      return { kind: "received" };
    case "sending":
    case "sent":
      return { kind: state };
    case "refused":
      return { kind: "refused", code: refusal ?? "INTERNAL" };
    default:
      return assertNever(state);
  }
}

/** Never splits a surrogate pair. */
export function shortened(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** A call as the log has it. Its `timestamp` is when its newest record was written. */
export function lineView(row: ActivityRow): CallItem {
  const { line_id, call_id, agent_id, tool_name, scope, reason, error_code, decided_by } = row;
  return {
    kind: "call",
    item_id: `n${padded(line_id)}`,
    at: row.timestamp - (row.duration_ms ?? 0),
    line_id,
    request_id: null,
    call_id,
    agent_id,
    tool_name,
    ...(row.target === undefined ? {} : { target: row.target }),
    scope,
    status: row.status,
    reason,
    error_code,
    decided_by,
    ended_at: row.status === "running" ? null : row.timestamp,
  };
}

export const waitingId = (requestId: string): string => `w${requestId}`;

/** A call that waits for the person; the consent card has its details. */
export const waitingView = (card: ConsentCard): CallItem => ({
  kind: "call",
  item_id: waitingId(card.request_id),
  at: card.asked_at,
  line_id: null,
  request_id: card.request_id,
  call_id: card.call_id,
  agent_id: card.agent_id,
  tool_name: card.tool_name,
  target: callTarget(card),
  scope: card.scope,
  status: "waiting",
  reason: null,
  error_code: null,
  decided_by: "person",
  ended_at: null,
});
