import {
  ConversationCreate,
  ConversationUpdate,
  MembersAdd,
  MessageCreate,
  ReadMark,
} from "../../app/protocol/v1/rest.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Messages } from "../messages/messages.ts";
import { created, ok, type Route, route, routeWithBody } from "../rest/route.ts";

export const conversationRoutes = (
  conversations: Conversations,
  messages: Messages,
): readonly Route[] => [
  routeWithBody("POST", "/conversations", "member", ConversationCreate, async (wanted, request) =>
    created(await conversations.create(request.asker, wanted)),
  ),
  route("GET", "/conversations", "member", async (request) =>
    ok(await conversations.list(request.asker)),
  ),
  route("GET", "/conversations/:id", "member", async (request) =>
    ok(await conversations.view(request.asker, request.param("id"))),
  ),
  routeWithBody(
    "PATCH",
    "/conversations/:id",
    "person",
    ConversationUpdate,
    async ({ title }, request) =>
      ok(await conversations.rename(request.asker, request.param("id"), title)),
  ),
  routeWithBody(
    "POST",
    "/conversations/:id/members",
    "person",
    MembersAdd,
    async (wanted, request) =>
      ok(await conversations.addMembers(request.asker, request.param("id"), wanted)),
  ),
  route("DELETE", "/conversations/:id/members/:member_id", "member", async (request) => {
    const conversation_id = request.param("id");
    const member_id = request.param("member_id");
    await conversations.removeMember(request.asker, conversation_id, member_id);
    return ok({ conversation_id, member_id });
  }),
  routeWithBody("POST", "/conversations/:id/read", "member", ReadMark, async ({ seq }, request) => {
    const conversation_id = request.param("id");
    const subject = request.asker;
    const kept = await conversations.markRead(subject, conversation_id, seq);
    return ok({ conversation_id, user_id: subject.id, seq: kept });
  }),
  routeWithBody(
    "POST",
    "/conversations/:id/messages",
    "member",
    MessageCreate,
    async (body, request) => {
      const message = { ...body, conversation_id: request.param("id") };
      const receipt = await messages.send(request.asker, message);
      return created({ client_message_id: body.client_message_id, ...receipt });
    },
  ),
];
