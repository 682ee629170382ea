import { guardOf } from "../../app/contract/checked.ts";
import { ConversationCreate, MessageCreate } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import { created, pathParam, type Route, routeWithBody } from "../rest/route.ts";
import { requirePerson } from "../rest/serve-rest.ts";
import { type OutgoingMessage, sendMessage } from "../sessions/send-message.ts";
import type { Subject } from "../sessions/session.ts";
import type { MessageReceipt } from "../storage/message-store.ts";
import { AGENT_TOKEN_PREFIX, hashToken } from "../tokens/bearer-token.ts";
import { newId } from "../tokens/random-text.ts";

const isConversationCreate = guardOf(ConversationCreate);
const isMessageCreate = guardOf(MessageCreate);

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
    routeWithBody({
      method: "POST",
      path: "/conversations/:id/messages",
      auth: "own",
      isBody: isMessageCreate,
      async handle(body, request) {
        const subject = await senderOf(parts, request.bearer);
        const message = { ...body, conversation_id: pathParam(request, "id") };
        const receipt = await sent(parts, subject, message);
        return created({ client_message_id: body.client_message_id, ...receipt });
      },
    }),
  ];
}

/** @throws Refusal UNAUTHENTICATED */
async function senderOf(parts: HubParts, bearer: string | undefined): Promise<Subject> {
  if (bearer?.startsWith(AGENT_TOKEN_PREFIX) !== true) {
    await requirePerson(parts, bearer);
    return { id: parts.userId, type: "human" };
  }
  const agent = parts.agents.withTokenHash(hashToken(bearer));
  if (agent === undefined) throw new Refusal("UNAUTHENTICATED");
  return { id: agent.agent_id, type: "agent" };
}

/** @throws Refusal NOT_A_MEMBER, RATE_LIMITED, RECIPIENT_QUEUE_FULL, INTERNAL */
const sent = (
  parts: HubParts,
  subject: Subject,
  message: OutgoingMessage,
): Promise<MessageReceipt> =>
  new Promise((resolve, reject) => {
    sendMessage(parts, subject, message, {
      sent: resolve,
      refused: (code, params) => reject(new Refusal(code, params)),
    });
  });

const isRelated = (parts: HubParts, agentId: string): boolean =>
  parts.relations.between(agentId, parts.userId)?.status === "active";
