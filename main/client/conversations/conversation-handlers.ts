import type { CONVERSATION_CALLS } from "../../../app/bridge/conversation-calls.ts";
import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import { done } from "../done.ts";
import { itemId } from "./item-views.ts";
import type { OpenedConversations } from "./open-conversations.ts";

export type ConversationHandlers = Pick<CallHandlers, keyof typeof CONVERSATION_CALLS>;

export const conversationHandlers = (
  { conversations, manifests, groups }: OpenedConversations,
  forget: (conversationId: string) => void,
): ConversationHandlers => ({
  "conversations.list": () => conversations.list(),
  "conversations.page": (args) => conversations.page(args),
  "conversations.text": ({ conversation_id, item_id }) => ({
    text: conversations.text(conversation_id, item_id),
  }),
  "conversations.send": async (args) => {
    const { item_id } = await conversations.send(args);
    return { item_id };
  },
  "conversations.record": (args) => done(conversations.voices.record(args)),
  "conversations.send_voice": async (args) => ({
    item_id: itemId((await conversations.voices.send(args)).number),
  }),
  "conversations.voice": (args) => conversations.voices.recording(args),
  "conversations.answer": async (args) => ({
    item_id: itemId((await conversations.artifacts.answer(args)).number),
  }),
  "conversations.file": (args) => conversations.artifacts.file(args),
  "conversations.mark_read": ({ conversation_id, seq }) =>
    done(conversations.markRead(conversation_id, seq)),
  "conversations.delete_history": async ({ conversation_id }) => {
    await conversations.deleteHistory(conversation_id);
    forget(conversation_id);
    return null;
  },
  "groups.create": ({ title, agent_ids }) => groups.create(title, agent_ids),
  "groups.rename": ({ conversation_id, title }) => done(groups.rename(conversation_id, title)),
  "groups.add_members": ({ conversation_id, agent_ids }) =>
    done(groups.add(conversation_id, agent_ids)),
  "groups.remove_member": ({ conversation_id, member_id }) =>
    done(groups.remove(conversation_id, member_id)),
  "groups.leave": ({ conversation_id }) => done(groups.leave(conversation_id)),
  "manifest.check_new": ({ text }) => manifests.checkNew(text),
  "manifest.check": ({ agent_id, text }) => manifests.check(agent_id, text),
  "manifest.apply": ({ agent_id, text, digest }) => manifests.apply(agent_id, text, digest),
});
