import { guardOf } from "../../app/contract/checked.ts";
import { ConversationCreate } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import { created, type Route, routeWithBody } from "../rest/route.ts";
import { newId } from "../tokens/random-text.ts";

const isConversationCreate = guardOf(ConversationCreate);

export function conversationRoutes(parts: HubParts): readonly Route[] {
  return [
    routeWithBody({
      method: "POST",
      path: "/conversations",
      auth: "person",
      isBody: isConversationCreate,
      handle({ agent_ids }) {
        const strangers = agent_ids.filter((agentId) => !isRelated(parts, agentId));
        if (strangers.length > 0) throw new Refusal("NOT_A_MEMBER", { agent_ids: strangers });
        const conversation_id = newId(parts.random);
        const conversation = { id: conversation_id, type: "group", ownerId: parts.userId } as const;
        parts.atomically(() => parts.conversations.create(conversation, agent_ids));
        return created({ conversation_id });
      },
    }),
  ];
}

const isRelated = (parts: HubParts, agentId: string): boolean =>
  parts.relations.between(agentId, parts.userId)?.status === "active";
