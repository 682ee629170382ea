import { shownName } from "../../app/bridge/agent-names.ts";
import type { ConversationView, MemberView } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import { type AgentLabels, labelOf } from "../text/agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";

/** What a conversation is called, as plain text for labels. */
export function titleOf(
  t: Translate,
  labels: AgentLabels,
  { kind, title, members, agent_ids }: ConversationView,
): string {
  if (kind === "system") return t("conversations.system");
  const [agent_id] = agent_ids;
  if (kind === "direct" && agent_id !== undefined) return labelOf(labels, agent_id, title ?? "");
  if (title !== null && title.trim() !== "") return visibleString(title);
  const names = members.filter(({ is_me }) => !is_me).map((member) => memberName(labels, member));
  return names.length === 0 ? t("conversations.untitled") : names.join(", ");
}

export const memberName = (labels: AgentLabels, { name, petname, member_id }: MemberView): string =>
  labelOf(labels, member_id, shownName({ name: name ?? "", petname }));

export function senderName(
  t: Translate,
  labels: AgentLabels,
  { members }: Pick<ConversationView, "members">,
  sender_id: string,
): string {
  const member = members.find(({ member_id }) => member_id === sender_id);
  if (member === undefined) return labelOf(labels, sender_id, "");
  return member.is_me ? t("conversations.you") : memberName(labels, member);
}
