import {
  ConversationAnswer,
  ConversationsAnswer,
  MemberRemoved,
  MessageCreated,
  ReadPosition,
} from "../../app/protocol/v1/answers.ts";
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
  created,
  invisible,
  ok,
  type Refusals,
  type Route,
  route,
  routeWithBody,
} from "../rest/route.ts";
import { SAMPLE } from "../spec/samples.ts";

const CONVERSATION = {
  data: ConversationAnswer,
  dataExample: { ...SAMPLE.conversation, members: SAMPLE.members },
};
const RELATED = {
  NOT_FOUND:
    "The agent that asks has no active relation with one of `user_ids`: `params.user_ids`.",
  NOT_RELATED:
    "The person who asks has no active relation with one of `agent_ids`, or the agent with nobody: `params`.",
  GROUPS_UNSUPPORTED: "An agent's manifest has `supports_group_chat: false`: `params.agent_ids`.",
} as const satisfies Refusals;
const MEMBER = {
  NOT_FOUND: "There is no such conversation, or the one who asks is no active member of it.",
} as const satisfies Refusals;
const GROUP = {
  ...MEMBER,
  NOT_A_GROUP: "It is a conversation of two.",
} as const satisfies Refusals;

export const conversationRoutes = (
  conversations: Conversations,
  messages: Messages,
): readonly Route[] => [
  routeWithBody(
    "POST",
    "/conversations",
    "member",
    {
      summary: "A group of people and agents",
      body: ConversationCreate,
      bodyExample: { type: "group", title: "Release", agent_ids: [SAMPLE.relation.agent_id] },
      status: 201,
      ...CONVERSATION,
      refusals: {
        BAD_REQUEST: invisible("title"),
        TOO_MANY_GROUPS: "The agent has made 32 groups that still go on.",
        ...RELATED,
      },
    },
    async (wanted, request) => created(await conversations.create(request.asker, wanted)),
  ),
  route(
    "GET",
    "/conversations",
    "member",
    {
      summary: "The conversations of the one who asks",
      data: ConversationsAnswer,
      dataExample: [SAMPLE.conversation],
    },
    async (request) => ok(await conversations.list(request.asker)),
  ),
  route(
    "GET",
    "/conversations/:id",
    "member",
    { summary: "A conversation and its members", ...CONVERSATION, refusals: MEMBER },
    async (request) => ok(await conversations.view(request.asker, request.param("id"))),
  ),
  routeWithBody(
    "PATCH",
    "/conversations/:id",
    "person",
    {
      summary: "The owner gives the group another title, or none",
      body: ConversationUpdate,
      bodyExample: { title: "Release" },
      ...CONVERSATION,
      refusals: { BAD_REQUEST: invisible("title"), ...GROUP },
    },
    async ({ title }, request) =>
      ok(await conversations.rename(request.asker, request.param("id"), title)),
  ),
  routeWithBody(
    "POST",
    "/conversations/:id/members",
    "person",
    {
      summary: "The owner adds people and agents to the group",
      body: MembersAdd,
      bodyExample: { agent_ids: [SAMPLE.relation.agent_id] },
      ...CONVERSATION,
      refusals: {
        ...GROUP,
        ...RELATED,
        NOT_FOUND: `${MEMBER.NOT_FOUND} ${RELATED.NOT_FOUND}`,
        GROUP_FULL: "The group would have over 500 members.",
      },
    },
    async (wanted, request) =>
      ok(await conversations.addMembers(request.asker, request.param("id"), wanted)),
  ),
  route(
    "DELETE",
    "/conversations/:id/members/:member_id",
    "member",
    {
      summary: "The owner removes a member, or a member leaves; with its owner a group ends",
      data: MemberRemoved,
      dataExample: {
        conversation_id: SAMPLE.conversation.conversation_id,
        member_id: SAMPLE.relation.agent_id,
      },
      refusals: {
        ...GROUP,
        FORBIDDEN: "The one who asks does not own the group, and wants to remove somebody else.",
        NOT_FOUND: `${MEMBER.NOT_FOUND} Or the one to be removed is none.`,
      },
    },
    async (request) => {
      const conversation_id = request.param("id");
      const member_id = request.param("member_id");
      await conversations.removeMember(request.asker, conversation_id, member_id);
      return ok({ conversation_id, member_id });
    },
  ),
  routeWithBody(
    "POST",
    "/conversations/:id/read",
    "member",
    {
      summary: "Marks the conversation as read up to a number",
      body: ReadMark,
      bodyExample: { seq: 7 },
      data: ReadPosition,
      dataExample: SAMPLE.readPosition,
      refusals: MEMBER,
    },
    async ({ seq }, request) => {
      const conversation_id = request.param("id");
      const subject = request.asker;
      const kept = await conversations.markRead(subject, conversation_id, seq);
      return ok({ conversation_id, user_id: subject.id, seq: kept });
    },
  ),
  routeWithBody(
    "POST",
    "/conversations/:id/messages",
    "member",
    {
      summary: "Hands over a message; the same client_message_id again is the same message",
      body: MessageCreate,
      bodyExample: {
        client_message_id: "01JA8M",
        content_type: "artifact",
        msg_subtype: "artifact_tool_call",
        encrypted_payload: "AHt9",
      },
      status: 201,
      data: MessageCreated,
      dataExample: SAMPLE.receipt,
      refusals: {
        NOT_A_MEMBER:
          "There is no such conversation, the one who asks is no active member of it, or there is nobody else in it.",
        VOICE_UNSUPPORTED:
          "A voice message, and an agent in the conversation has no `supports_voice: true` in its manifest.",
        HISTORY_FULL: "The person keeps no more of this agent's messages.",
        RATE_LIMITED:
          "The agent has sent 60 tool calls, or 8 MiB, in a minute: `params.retry_after_ms`.",
        RECIPIENT_QUEUE_FULL:
          "A recipient has 1,000 messages waiting in this conversation, or 16 MiB of the agent's wait in all.",
      },
    },
    async (body, request) => {
      const message = { ...body, conversation_id: request.param("id") };
      const receipt = await messages.send(request.asker, message);
      return created({ client_message_id: body.client_message_id, ...receipt });
    },
  ),
];
