import type { ConversationView, MemberView } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import { visibleString } from "../text/visible-text.ts";

/** What a conversation is called, as plain text for labels. */
export function titleOf(t: Translate, { kind, title, members }: ConversationView): string {
  if (kind === "system") return t("conversations.system");
  if (title !== null && title.trim() !== "") return visibleString(title);
  const names = members.filter(({ is_me }) => !is_me).map((member) => memberName(member));
  return names.length === 0 ? t("conversations.untitled") : names.join(", ");
}

export const memberName = ({ petname, name, member_id }: MemberView): string =>
  visibleString(petname ?? name ?? member_id);

export function senderName(t: Translate, view: ConversationView, sender_id: string): string {
  const member = view.members.find(({ member_id }) => member_id === sender_id);
  if (member === undefined) return visibleString(sender_id);
  return member.is_me ? t("conversations.you") : memberName(member);
}
