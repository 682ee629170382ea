import { shownName } from "../../app/bridge/agent-names.ts";
import type { ConversationView, MemberView } from "../../app/bridge/conversation-views.ts";
import { isVisibleName } from "../../app/contract/visible-name.ts";
import type { Translate } from "../../i18n/index.ts";
import { type AgentLabels, labelOf } from "../text/agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";

/** A conversation's name, as plain text for labels. */
export function titleOf(t: Translate, labels: AgentLabels, view: ConversationView): string {
  const { kind, title, members, agent_ids } = view;
  if (kind === "system") return t("conversations.system");
  const [agent_id] = agent_ids;
  if (kind === "direct" && agent_id !== undefined) return labelOf(labels, agent_id, title ?? "");
  const names = members
    .filter(({ is_me }) => !is_me)
    .map((member) => memberName(t, labels, member));
  const named = title !== null && isVisibleName(title) ? visibleString(title) : names.join(", ");
  if (named === "") return t("conversations.untitled");
  return kind === "group" && view.title_is_shared ? withId(named, view) : named;
}

/** Characters of an id that distinguish two conversations; the details show the whole id. */
const TELLING_CHARS = 6;

/** For a conversation that has the same name as another. */
export const withId = (
  name: string,
  { conversation_id }: Pick<ConversationView, "conversation_id">,
): string => `${name} (${conversation_id.slice(0, TELLING_CHARS)})`;

/** A group may contain agents with the same name as one of the person's own. */
export function memberName(
  t: Translate,
  labels: AgentLabels,
  { name, petname, member_id, name_is_borrowed }: MemberView,
): string {
  const label = labelOf(labels, member_id, shownName({ name: name ?? "", petname }));
  return name_is_borrowed ? `${label} (${t("conversations.not_yours")})` : label;
}

/** A conversation whose agent was removed has no members any more, but its title. */
export function senderName(
  t: Translate,
  labels: AgentLabels,
  view: ConversationView,
  sender_id: string,
): string {
  const member = view.members.find(({ member_id }) => member_id === sender_id);
  if (member === undefined) {
    const isItsAgent = view.kind === "direct" && view.agent_ids.includes(sender_id);
    return isItsAgent ? titleOf(t, labels, view) : labelOf(labels, sender_id, "");
  }
  return member.is_me ? t("conversations.you") : memberName(t, labels, member);
}
