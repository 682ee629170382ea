import Type from "typebox";
import { AgentName, Id, Seq, Title } from "./fields.ts";
import { MessageSendFrame } from "./frames.ts";
import { Base64Card, EncryptionLevelWord } from "./key-rest.ts";
import { GROUP_MEMBERS_AT_MOST } from "./relayed-frames.ts";

/** REST bodies of protocol v1. Success is `{data}`, failure `{error}` (contract §8). */
const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 1000 });

export const BODY_AT_MOST_BYTES = 262_144;

export const HUB_ERRORS = {
  BAD_REQUEST: 400,
  MANIFEST_INVALID: 422,
  MANIFEST_TOO_LARGE: 413,
  BODY_TOO_LARGE: 413,
  UNAUTHENTICATED: 401,
  AGENT_REMOVED: 403,
  ACCOUNT_SUSPENDED: 403,
  INVITATION_INVALID: 403,
  FORBIDDEN: 403,
  FOREIGN_ORIGIN: 403,
  FOREIGN_HOST: 421,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAIRING_EXPIRED: 410,
  PAIRING_CLOSED: 409,
  TOO_MANY_PAIRINGS: 429,
  SCOPE_UNKNOWN: 422,
  MANIFEST_CHANGED: 409,
  WEBHOOK_URL_REFUSED: 422,
  NOT_A_MEMBER: 403,
  NOT_RELATED: 403,
  NOT_A_GROUP: 409,
  GROUP_FULL: 409,
  GROUPS_UNSUPPORTED: 422,
  TOO_MANY_GROUPS: 429,
  LEDGER_CONFLICT: 409,
  RECIPIENT_QUEUE_FULL: 429,
  HISTORY_FULL: 507,
  VOICE_UNSUPPORTED: 422,
  VOICE_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  OVERLOADED: 503,
  UNAVAILABLE: 503,
  INTERNAL: 500,
} as const;
export type HubErrorCode = keyof typeof HUB_ERRORS;

export interface HubErrorBody {
  readonly error: {
    readonly code: HubErrorCode;
    readonly message: string;
    readonly i18n_key: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}

/** The manifest is checked separately, byte by byte, in `readManifest`. */
export const PairingRequest = Type.Object(
  {
    name: AgentName,
    capability_manifest: Type.Unknown(),
    /** The agent creates its identity, and thus its id, before it asks. */
    identity_card: Type.Optional(Base64Card),
    /** Required with a card, and not allowed without one. */
    encryption: Type.Optional(EncryptionLevelWord),
    /** Whom it asks; without it, the person whose computer the hub runs on. */
    user_id: Type.Optional(Id),
  },
  { additionalProperties: false },
);
export type PairingRequest = Type.Static<typeof PairingRequest>;
export const PairingAnswer = Type.Object(
  { accept: Type.Boolean(), granted_scopes: Scopes },
  { additionalProperties: false },
);
const connection = {
  connection_mode: Type.Union([Type.Literal("websocket"), Type.Literal("webhook")]),
  /** Required with `webhook`, and not allowed otherwise: `https:`, or loopback. */
  webhook_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
};
export const AgentCreate = Type.Object(
  {
    name: AgentName,
    capability_manifest: Type.Unknown(),
    connection_mode: Type.Optional(connection.connection_mode),
    webhook_url: connection.webhook_url,
  },
  { additionalProperties: false },
);
/** An agent that comes with its person from another hub, under the ids it had there. */
export const AgentArrival = Type.Object(
  {
    name: AgentName,
    capability_manifest: Type.Unknown(),
    identity_card: Base64Card,
    relation_id: Id,
    conversation_id: Id,
  },
  { additionalProperties: false },
);
export type AgentArrival = Type.Static<typeof AgentArrival>;
/** How to reach the agent from now on: `PATCH /agents/:id` accepts it instead of a manifest. */
export const ConnectionChange = Type.Object(connection, { additionalProperties: false });
export type ConnectionChange = Type.Static<typeof ConnectionChange>;
/** With `capability_manifest_version` the scopes were chosen from that version, and count for no other. */
export const RelationCreate = Type.Object(
  {
    agent_id: Id,
    granted_scopes: Scopes,
    capability_manifest_version: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type RelationCreate = Type.Static<typeof RelationCreate>;
/**
 * With `capability_manifest_version` it is the person's answer about that version. An agent whose
 * breaking manifest waits for that answer is told (`agent.capability_changed`).
 */
export const RelationUpdate = Type.Object(
  {
    granted_scopes: Scopes,
    capability_manifest_version: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type RelationUpdate = Type.Static<typeof RelationUpdate>;
const newMembers = {
  agent_ids: Type.Optional(Type.Array(Id, { maxItems: GROUP_MEMBERS_AT_MOST - 1 })),
  /** Persons. */
  user_ids: Type.Optional(Type.Array(Id, { maxItems: GROUP_MEMBERS_AT_MOST - 1 })),
};
/**
 * Whoever creates the group is a member. Its owner is the person who created it, or its first
 * person.
 */
export const ConversationCreate = Type.Object(
  { type: Type.Literal("group"), title: Type.Optional(Title), ...newMembers },
  { additionalProperties: false },
);
export type ConversationCreate = Type.Static<typeof ConversationCreate>;
export const ConversationUpdate = Type.Object(
  { title: Type.Union([Title, Type.Null()]) },
  { additionalProperties: false },
);
export const MembersAdd = Type.Object(newMembers, { additionalProperties: false });
export type MembersAdd = Type.Static<typeof MembersAdd>;
/** The same as the frame `message.read`. */
export const ReadMark = Type.Object({ seq: Seq }, { additionalProperties: false });

const { type: _, conversation_id: __, ...message } = MessageSendFrame.properties;
/** A message sent over REST. The same `client_message_id` again is the same message. */
export const MessageCreate = Type.Object(message, { additionalProperties: false });
export type MessageCreate = Type.Static<typeof MessageCreate>;

export type {
  AgentView,
  ConnectionChanged,
  ManifestAccepted,
  PairingState,
  PairingTicket,
  RelationView,
} from "./answers.ts";
