import { guardOf } from "../../app/contract/checked.ts";
import {
  ConversationCreate,
  ConversationUpdate,
  MessageCreate,
  ReadMark,
} from "../../app/protocol/v1/rest.ts";
import { conversationView } from "../conversations/conversation-view.ts";
import { createGroup, renameGroup } from "../conversations/groups.ts";
import { markRead } from "../conversations/read-marks.ts";
import type { HubParts } from "../hub-parts.ts";
import { type OutgoingMessage, sendMessage } from "../messages/send-message.ts";
import { Refusal } from "../refusal.ts";
import { subjectOf } from "../registry/subject-of.ts";
import { created, ok, pathParam, type Route, routeWithBody } from "../rest/route.ts";
import type { Subject } from "../sessions/session.ts";
import type { MessageReceipt } from "../storage/message-store.ts";
import { memberRoutes } from "./member-routes.ts";

const isConversationCreate = guardOf(ConversationCreate);
const isConversationUpdate = guardOf(ConversationUpdate);
const isMessageCreate = guardOf(MessageCreate);
const isReadMark = guardOf(ReadMark);

export function conversationRoutes(parts: HubParts): readonly Route[] {
  return [
    routeWithBody({
      method: "POST",
      path: "/conversations",
      auth: "own",
      isBody: isConversationCreate,
      async handle(wanted, { bearer }) {
        const subject = await subjectOf(parts, bearer);
        const id = createGroup(parts, subject, wanted);
        return created(conversationView(parts, subject, id));
      },
    }),
    {
      method: "GET",
      path: "/conversations",
      auth: "own",
      async handle({ bearer }) {
        const { id } = await subjectOf(parts, bearer);
        return ok(parts.members.conversationsOf(id));
      },
    },
    {
      method: "GET",
      path: "/conversations/:id",
      auth: "own",
      async handle(request) {
        const subject = await subjectOf(parts, request.bearer);
        return ok(conversationView(parts, subject, pathParam(request, "id")));
      },
    },
    routeWithBody({
      method: "PATCH",
      path: "/conversations/:id",
      auth: "person",
      isBody: isConversationUpdate,
      handle({ title }, request) {
        const person: Subject = { id: parts.userId, type: "human" };
        const id = pathParam(request, "id");
        renameGroup(parts, person, id, title);
        return ok(conversationView(parts, person, id));
      },
    }),
    ...memberRoutes(parts),
    routeWithBody({
      method: "POST",
      path: "/conversations/:id/read",
      auth: "own",
      isBody: isReadMark,
      async handle({ seq }, request) {
        const subject = await subjectOf(parts, request.bearer);
        const conversation_id = pathParam(request, "id");
        const kept = await marked(parts, subject, { conversation_id, seq });
        return ok({ conversation_id, user_id: subject.id, seq: kept });
      },
    }),
    routeWithBody({
      method: "POST",
      path: "/conversations/:id/messages",
      auth: "own",
      isBody: isMessageCreate,
      async handle(body, request) {
        const subject = await subjectOf(parts, request.bearer);
        const message = { ...body, conversation_id: pathParam(request, "id") };
        const receipt = await sent(parts, subject, message);
        return created({ client_message_id: body.client_message_id, ...receipt });
      },
    }),
  ];
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

/** @throws Refusal NOT_A_MEMBER, INTERNAL */
const marked = (
  parts: HubParts,
  subject: Subject,
  mark: { readonly conversation_id: string; readonly seq: number },
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { conversation_id } = mark;
    markRead(parts, subject, mark, {
      kept: resolve,
      refused: (code) => reject(new Refusal(code, { conversation_id })),
    });
  });
