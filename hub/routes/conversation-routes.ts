import { guardOf } from "../../app/contract/checked.ts";
import {
  ConversationCreate,
  ConversationUpdate,
  MembersAdd,
  MessageCreate,
  ReadMark,
} from "../../app/protocol/v1/rest.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Messages } from "../messages/messages.ts";
import {
  askerOf,
  created,
  ok,
  pathParam,
  type RestRequest,
  type Route,
  route,
  routeWithBody,
} from "../rest/route.ts";

const idIn = (request: RestRequest): string => pathParam(request, "id");

export const conversationRoutes = (
  conversations: Conversations,
  messages: Messages,
): readonly Route[] => [
  routeWithBody(
    "POST",
    "/conversations",
    "member",
    guardOf(ConversationCreate),
    async (wanted, request) => created(await conversations.create(askerOf(request), wanted)),
  ),
  route("GET", "/conversations", "member", async (request) =>
    ok(await conversations.list(askerOf(request))),
  ),
  route("GET", "/conversations/:id", "member", async (request) =>
    ok(await conversations.view(askerOf(request), idIn(request))),
  ),
  routeWithBody(
    "PATCH",
    "/conversations/:id",
    "person",
    guardOf(ConversationUpdate),
    async ({ title }, request) =>
      ok(await conversations.rename(askerOf(request), idIn(request), title)),
  ),
  routeWithBody(
    "POST",
    "/conversations/:id/members",
    "person",
    guardOf(MembersAdd),
    async (wanted, request) =>
      ok(await conversations.addMembers(askerOf(request), idIn(request), wanted)),
  ),
  route("DELETE", "/conversations/:id/members/:member_id", "member", async (request) => {
    const conversation_id = idIn(request);
    const member_id = pathParam(request, "member_id");
    await conversations.removeMember(askerOf(request), conversation_id, member_id);
    return ok({ conversation_id, member_id });
  }),
  routeWithBody(
    "POST",
    "/conversations/:id/read",
    "member",
    guardOf(ReadMark),
    async ({ seq }, request) => {
      const conversation_id = idIn(request);
      const subject = askerOf(request);
      const kept = await conversations.markRead(subject, conversation_id, seq);
      return ok({ conversation_id, user_id: subject.id, seq: kept });
    },
  ),
  routeWithBody(
    "POST",
    "/conversations/:id/messages",
    "member",
    guardOf(MessageCreate),
    async (body, request) => {
      const message = { ...body, conversation_id: idIn(request) };
      const receipt = await messages.send(askerOf(request), message);
      return created({ client_message_id: body.client_message_id, ...receipt });
    },
  ),
];
