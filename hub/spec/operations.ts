import Type, { type TSchema } from "typebox";
import { ManifestSchema } from "../../app/contract/manifest.ts";
import * as accounts from "../../app/protocol/v1/account-rest.ts";
import * as answers from "../../app/protocol/v1/answers.ts";
import { PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import { KeysPublish, LedgerAppend } from "../../app/protocol/v1/key-rest.ts";
import {
  AgentCreate,
  ConnectionChange,
  ConversationCreate,
  ConversationUpdate,
  MembersAdd,
  MessageCreate,
  PairingAnswer,
  PairingRequest,
  ReadMark,
  RelationCreate,
  RelationUpdate,
} from "../../app/protocol/v1/rest.ts";
import { SAMPLE } from "./samples.ts";

export interface Operation {
  readonly summary: string;
  readonly body?: TSchema;
  readonly bodyExample?: unknown;
  readonly query?: Readonly<Record<string, TSchema>>;
  readonly status?: 201;
  /** When the success is 200 nevertheless. */
  readonly orOk?: string;
  /** What stands under `data`; `null`: the answer is a document of its own. */
  readonly data: TSchema | null;
  readonly dataExample?: unknown;
}

const ManifestUpdate = Type.Object(
  { capability_manifest: Type.Object({}) },
  { additionalProperties: false },
);
const conversation = {
  data: answers.ConversationAnswer,
  dataExample: { ...SAMPLE.conversation, members: SAMPLE.members },
};
const person = { data: accounts.PersonView, dataExample: SAMPLE.person };
const relation = { data: answers.RelationAnswer, dataExample: SAMPLE.relation };

/** Every route, by method and path, as OpenAPI tells of it. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "GET /health": {
    summary: "Whether the hub runs",
    data: answers.Health,
    dataExample: { status: "ok" },
  },
  "GET /openapi.json": { summary: "This document", data: null },
  "GET /asyncapi.json": { summary: "The frames of the WebSockets, as AsyncAPI 3", data: null },
  "POST /auth/challenge": {
    summary: "A text that a person's device signs to be let in",
    data: accounts.ChallengeAnswer,
    dataExample: { challenge: "eyJhbGciOiJIUzI1NiJ9", hub: SAMPLE.hub, expires_at: SAMPLE.time },
  },
  "POST /auth/token": {
    summary: "An access token for the device that signed; with an invitation, the first time",
    body: accounts.SignInRequest,
    bodyExample: {
      identity_card: SAMPLE.keys.identity_card,
      challenge: "eyJhbGciOiJIUzI1NiJ9",
      signature: `${"A".repeat(86)}==`,
    },
    data: accounts.SignedIn,
    dataExample: {
      user_id: SAMPLE.ids.user_id,
      role: "member",
      access_token: "eyJhbGciOiJIUzI1NiJ9",
      expires_in: 300,
    },
  },
  "POST /people/invitations": {
    summary: "An owner of the hub invites a person; the invitation works once",
    body: accounts.InvitationCreate,
    bodyExample: { name: "Ada" },
    status: 201,
    data: accounts.InvitationCreated,
    dataExample: {
      invitation: `hsi_${"0".repeat(40)}`,
      name: "Ada",
      role: "member",
      expires_at: SAMPLE.time,
    },
  },
  "GET /people": {
    summary: "Who has an account at the hub",
    data: Type.Array(accounts.PersonView),
    dataExample: [SAMPLE.person],
  },
  "POST /people/:id/suspend": { summary: "The person is cut off, and let in no more", ...person },
  "POST /people/:id/restore": { summary: "The person is let in again", ...person },
  "DELETE /people/:id": {
    summary: "The account is gone, and its relations are revoked",
    ...person,
  },
  "POST /pairings": {
    summary: "An unknown agent asks to be added",
    body: PairingRequest,
    bodyExample: {
      name: "Agent",
      capability_manifest: SAMPLE.manifest,
      identity_card: SAMPLE.keys.identity_card,
      encryption: "ratchet",
    },
    status: 201,
    data: answers.PairingTicketAnswer,
    dataExample: SAMPLE.ticket,
  },
  "GET /pairings": {
    summary: "The pairings that wait for an answer",
    data: Type.Array(PairingRequestedFrame.properties.payload),
    dataExample: [SAMPLE.pairing],
  },
  "GET /pairings/:id": {
    summary: "How a pairing stands; with wait_ms, once there is something to say",
    query: { wait_ms: Type.Integer({ minimum: 0, maximum: 999_999_999 }) },
    data: answers.PairingStateAnswer,
    dataExample: { status: "waiting" },
  },
  "DELETE /pairings/:id": {
    summary: "The agent withdraws its pairing",
    data: answers.Withdrawn,
    dataExample: { status: "withdrawn" },
  },
  "POST /pairings/:id/answer": {
    summary: "The person accepts with these scopes, or refuses",
    body: PairingAnswer,
    bodyExample: { accept: true, granted_scopes: ["filesystem:read"] },
    data: answers.PairingAnswered,
    dataExample: { ...SAMPLE.agent, ...SAMPLE.relation },
  },
  "POST /agents": {
    summary: "The person registers an agent; its token is told once",
    body: AgentCreate,
    bodyExample: { name: "Agent", capability_manifest: SAMPLE.manifest },
    status: 201,
    data: answers.AgentCreated,
    dataExample: {
      ...SAMPLE.accepted,
      connection_mode: "websocket",
      token: `hsk_${"0".repeat(40)}`,
    },
  },
  "GET /agents/:id": {
    summary: "An agent and its manifest",
    data: answers.AgentAnswer,
    dataExample: SAMPLE.agent,
  },
  "PATCH /agents/:id": {
    summary: "A new manifest, or another way to be reached",
    body: Type.Union([ManifestUpdate, ConnectionChange, ManifestSchema]),
    bodyExample: SAMPLE.manifest,
    data: answers.AgentPatched,
    dataExample: SAMPLE.accepted,
  },
  "POST /agents/:id/manifest-preview": {
    summary: "What a manifest would break if the person uploaded it; nothing changes",
    body: ManifestUpdate,
    bodyExample: { capability_manifest: SAMPLE.manifest },
    data: answers.ManifestPreviewed,
    dataExample: SAMPLE.accepted,
  },
  "GET /h2a/relations": {
    summary: "All relations of the person",
    data: answers.RelationsAnswer,
    dataExample: [SAMPLE.relation],
  },
  "POST /h2a/relations": {
    summary: "The person adds an agent with these scopes",
    body: RelationCreate,
    bodyExample: {
      agent_id: SAMPLE.relation.agent_id,
      granted_scopes: ["filesystem:read"],
      capability_manifest_version: 1,
    },
    status: 201,
    orOk: "The relation was active already",
    ...relation,
  },
  "PATCH /h2a/relations/:id": {
    summary: "Other scopes; with a manifest version, the answer to a breaking change",
    body: RelationUpdate,
    bodyExample: { granted_scopes: ["filesystem:read"], capability_manifest_version: 2 },
    ...relation,
  },
  "DELETE /h2a/relations/:id": { summary: "The person removes the agent", ...relation },
  "POST /h2a/relations/:id/suspend": { summary: "Nothing goes between the two", ...relation },
  "POST /h2a/relations/:id/restore": { summary: "It does again", ...relation },
  "PUT /keys/mine": {
    summary: "An owner, agent or person, publishes its keys",
    body: KeysPublish,
    bodyExample: { ...SAMPLE.keys, one_time_prekeys: [SAMPLE.oneTimePrekey] },
    data: answers.KeysStateAnswer,
    dataExample: SAMPLE.keysStanding,
  },
  "GET /keys/mine": {
    summary: "Which keys the hub has of the one who asks",
    data: answers.KeysStateAnswer,
    dataExample: SAMPLE.keysStanding,
  },
  "GET /keys/:owner_id": {
    summary: "The identity card of somebody one shares a conversation with",
    data: answers.IdentityCardAnswer,
    dataExample: { owner_id: SAMPLE.ids.agent_id, identity_card: SAMPLE.keys.identity_card },
  },
  "POST /keys/:owner_id/bundle": {
    summary: "What begins a session with them; takes a one-time prekey away",
    data: answers.PrekeyBundleAnswer,
    dataExample: { bundle: SAMPLE.keys.identity_card },
  },
  "GET /h2a/relations/:id/ledger": {
    summary: "The grants and revocations the person signed, for both ends to check",
    query: { from: Type.Integer({ minimum: 0, maximum: 999_999_999 }) },
    data: answers.LedgerEntriesAnswer,
    dataExample: { entries: [SAMPLE.oneTimePrekey], length: 1 },
  },
  "POST /h2a/relations/:id/ledger": {
    summary: "The person appends a signed entry",
    body: LedgerAppend,
    bodyExample: { index: 0, entry: SAMPLE.oneTimePrekey },
    status: 201,
    data: answers.LedgerLength,
    dataExample: { length: 1 },
  },
  "POST /conversations": {
    summary: "A group of people and agents",
    body: ConversationCreate,
    bodyExample: { type: "group", title: "Release", agent_ids: [SAMPLE.relation.agent_id] },
    status: 201,
    ...conversation,
  },
  "GET /conversations": {
    summary: "The conversations of the one who asks",
    data: answers.ConversationsAnswer,
    dataExample: [SAMPLE.conversation],
  },
  "GET /conversations/:id": { summary: "A conversation and its members", ...conversation },
  "PATCH /conversations/:id": {
    summary: "The owner gives the group another title, or none",
    body: ConversationUpdate,
    bodyExample: { title: "Release" },
    ...conversation,
  },
  "POST /conversations/:id/members": {
    summary: "The owner adds people and agents to the group",
    body: MembersAdd,
    bodyExample: { agent_ids: [SAMPLE.relation.agent_id] },
    ...conversation,
  },
  "DELETE /conversations/:id/members/:member_id": {
    summary: "The owner removes a member, or a member leaves; with its owner a group ends",
    data: answers.MemberRemoved,
    dataExample: {
      conversation_id: SAMPLE.conversation.conversation_id,
      member_id: SAMPLE.relation.agent_id,
    },
  },
  "POST /conversations/:id/read": {
    summary: "Marks the conversation as read up to a number",
    body: ReadMark,
    bodyExample: { seq: 7 },
    data: answers.ReadPosition,
    dataExample: SAMPLE.readPosition,
  },
  "POST /conversations/:id/messages": {
    summary: "Hands over a message; the same client_message_id again is the same message",
    body: MessageCreate,
    bodyExample: {
      client_message_id: "01JA8M",
      content_type: "artifact",
      msg_subtype: "artifact_tool_call",
      encrypted_payload: "AHt9",
    },
    status: 201,
    data: answers.MessageCreated,
    dataExample: SAMPLE.receipt,
  },
};
