import { BridgeError } from "../../../app/bridge/client-bridge.ts";
import type { CONVERSATION_CALLS } from "../../../app/bridge/conversation-calls.ts";
import {
  type ConversationView,
  SYSTEM_CONVERSATION,
} from "../../../app/bridge/conversation-views.ts";
import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { offersOf, SYSTEM_OFFERS } from "./offers.ts";

export type ConversationHandlers = Pick<CallHandlers, keyof typeof CONVERSATION_CALLS>;

export interface ConversationSources {
  agents(): readonly KnownAgent[];
  isOnline(agentId: string): boolean;
  readonly userId: string;
}

const SYSTEM: ConversationView = {
  conversation_id: SYSTEM_CONVERSATION,
  kind: "system",
  title: null,
  agent_ids: [],
  members: [],
  unread: 0,
  last_at: null,
  last_text: null,
  last_sender_id: null,
  offers: SYSTEM_OFFERS,
  relation: "active",
  online: true,
};

export function conversationHandlers(sources: ConversationSources): ConversationHandlers {
  const notFound = (): never => {
    throw new BridgeError("not_found");
  };
  const list = () => [...sources.agents().map((agent) => directView(agent, sources)), SYSTEM];
  return {
    "conversations.list": list,
    "conversations.page": ({ conversation_id }) => {
      if (!list().some((each) => each.conversation_id === conversation_id)) notFound();
      return { items: [], next_before: null, streams: [], typing: [] };
    },
    "conversations.text": notFound,
    "conversations.send": notFound,
    "conversations.mark_read": notFound,
    "conversations.delete_history": notFound,
    "manifest.check": notFound,
    "manifest.apply": notFound,
  };
}

function directView(agent: KnownAgent, sources: ConversationSources): ConversationView {
  const online = sources.isOnline(agent.agent_id);
  return {
    ...SYSTEM,
    conversation_id: agent.conversation_id,
    kind: "direct",
    title: agent.name,
    agent_ids: [agent.agent_id],
    members: [
      {
        member_id: agent.agent_id,
        is_agent: true,
        is_me: false,
        name: agent.name,
        online,
        read_seq: 0,
      },
      {
        member_id: sources.userId,
        is_agent: false,
        is_me: true,
        name: null,
        online: true,
        read_seq: 0,
      },
    ],
    offers: offersOf(agent.manifest, "active"),
    online,
  };
}
