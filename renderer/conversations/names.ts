import { shownName } from "../../app/bridge/agent-views.ts";
import type {
  ConversationView,
  MemberView,
  MessageItem,
} from "../../app/bridge/conversation-views.ts";
import { isVisibleName } from "../../app/contract/visible-name.ts";
import type { Translate } from "../../i18n/index.ts";
import { useShown } from "../host-context.tsx";
import { type Texts, useTexts } from "../language.tsx";
import { type AgentLabels, labelOf, useAgentLabels } from "../text/agent-labels.ts";
import { nameList } from "../text/format.ts";
import { visibleString } from "../text/visible-text.ts";

type NameTexts = Pick<Texts, "t" | "language">;

/** A conversation's name, as plain text for labels. */
export function titleOf(texts: NameTexts, labels: AgentLabels, view: ConversationView): string {
  const { t, language } = texts;
  const { kind, title, members, agent_ids } = view;
  if (kind === "system") return t("conversations.system");
  const [agent_id] = agent_ids;
  if (kind === "direct" && agent_id !== undefined) return labelOf(labels, agent_id, title ?? "");
  const names = members
    .filter(({ is_me }) => !is_me)
    .map((member) => memberName(t, labels, member));
  const named =
    title !== null && isVisibleName(title) ? visibleString(title) : nameList(language, names);
  if (named === "") return t("conversations.untitled");
  return kind === "group" && view.title_is_shared ? withId(t, named, view) : named;
}

/** Characters of an id that distinguish two conversations; the details show the whole id. */
const TELLING_CHARS = 6;

/** For a conversation that has the same name as another. */
const withId = (
  t: Translate,
  text: string,
  { conversation_id }: Pick<ConversationView, "conversation_id">,
): string => t("app.bracketed", { text, note: conversation_id.slice(0, TELLING_CHARS) });

/** A group may contain agents with the same name as one of the person's own. */
export function memberName(
  t: Translate,
  labels: AgentLabels,
  { name, petname, member_id, name_is_borrowed }: MemberView,
): string {
  const label = labelOf(labels, member_id, shownName({ name: name ?? "", petname }));
  const note = t("conversations.not_yours");
  return name_is_borrowed ? t("app.bracketed", { text: label, note }) : label;
}

/** A conversation whose agent was removed has no members any more, but its title. */
export function senderName(
  texts: NameTexts,
  labels: AgentLabels,
  view: ConversationView,
  sender_id: string,
): string {
  const { t } = texts;
  const member = view.members.find(({ member_id }) => member_id === sender_id);
  if (member === undefined) {
    const isItsAgent = view.kind === "direct" && view.agent_ids.includes(sender_id);
    return isItsAgent ? titleOf(texts, labels, view) : labelOf(labels, sender_id, "");
  }
  return member.is_me ? t("conversations.you") : memberName(t, labels, member);
}

/** Displayed names of conversations by id, for use outside the conversation list. */
export type ConversationNames = ReadonlyMap<string, string>;

/** By their agent, or the group's title; equal names get the beginning of their id. */
export const conversationNames = (
  texts: NameTexts,
  labels: AgentLabels,
  conversations: readonly ConversationView[],
): ConversationNames =>
  new Map(conversations.map((view) => [view.conversation_id, nameOf(texts, labels, view)]));

function nameOf(texts: NameTexts, labels: AgentLabels, view: ConversationView): string {
  const title = titleOf(texts, labels, view);
  if (view.kind !== "direct") return title;
  const name = texts.t("conversations.with", { agent: title });
  return view.title_is_shared ? withId(texts.t, name, view) : name;
}

export function useTitle(view: ConversationView): string {
  return titleOf(useTexts(), useAgentLabels(), view);
}

export function useSenderName(view: ConversationView, sender_id: string): string {
  return senderName(useTexts(), useAgentLabels(), view, sender_id);
}

type Sources = readonly [
  Translate,
  Texts["language"],
  AgentLabels,
  readonly ConversationView[] | null,
];

let drawn: { readonly from: Sources; readonly names: ConversationNames } | null = null;

/** Cached, because many lines of a page ask for the same names. */
function namesFrom(from: Sources): ConversationNames {
  if (drawn === null || from.some((source, at) => source !== drawn?.from[at])) {
    const [t, language, labels, conversations] = from;
    drawn = { from, names: conversationNames({ t, language }, labels, conversations ?? []) };
  }
  return drawn.names;
}

export function useConversationNames(): ConversationNames {
  const { t, language } = useTexts();
  const labels = useAgentLabels();
  const conversations = useShown((shown) => shown.conversations);
  return namesFrom([t, language, labels, conversations]);
}

/** A conversation's current name; its id if nothing is known about it any more. */
export function useConversationName(conversation_id: string): string {
  return useConversationNames().get(conversation_id) ?? conversation_id;
}

/** What a message without words of its own is called; null: it has some. */
export function untitled(
  t: Translate,
  content: MessageItem["content"] | null,
  text: string,
): string | null {
  if (text.trim() !== "") return null;
  switch (content) {
    case "text":
    case "markdown":
      return t("conversations.empty");
    case "voice":
      return t("voice.message");
    case "blocks":
      return t("artifact.untitled");
    case "unreadable":
      return t("conversations.unreadable");
    default:
      return null;
  }
}
