import Type from "typebox";
import { MANIFEST_WARNINGS } from "../../contract/manifest-remarks.ts";
import { BreakingChangeSchema, Count, Id, Title } from "./fields.ts";
import { MessageAckFrame, RelationFrame } from "./frames.ts";

/** A conversation as one of its members sees it. */
export const ConversationSummary = Type.Object({
  conversation_id: Id,
  type: Type.Union([Type.Literal("h2a"), Type.Literal("group")]),
  title: Type.Union([Title, Type.Null()]),
  owner_id: Id,
  member_count: Count,
  /** The last message's number; 0 before the first. */
  last_seq: Count,
  /** The last message that this member has read. */
  read_seq: Count,
});
export const MemberView = Type.Object({
  member_id: Id,
  member_type: Type.Union([Type.Literal("human"), Type.Literal("agent")]),
  role: Type.Union([Type.Literal("owner"), Type.Literal("member")]),
  /** An agent's. */
  name: Type.Union([Type.String(), Type.Null()]),
  read_seq: Count,
  /**
   * For agents, and told to the owner only (platform: groups). A suspended agent receives nothing.
   */
  status: Type.Optional(Type.Union([Type.Literal("active"), Type.Literal("suspended")])),
});
export const ConversationView = Type.Object({
  ...ConversationSummary.properties,
  members: Type.Array(MemberView),
});
/** How far a member has read. */
export const ReadPosition = Type.Object({ conversation_id: Id, user_id: Id, seq: Count });

export type ConversationSummary = Type.Static<typeof ConversationSummary>;
export type MemberView = Type.Static<typeof MemberView>;
export type ConversationView = Type.Static<typeof ConversationView>;

/** What the REST side answers. Requests have theirs in rest.ts and key-rest.ts. */
const Scopes = Type.Immutable(Type.Array(Type.String()));
const words = <const Word extends string>(...of: readonly Word[]) =>
  Type.Unsafe<Word>(Type.Union(of.map((word) => Type.Literal(word))));
const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Version = Type.Integer({ minimum: 1 });
const Timestamp = Type.String({ format: "date-time" });

export const Health = Type.Object({ status: Type.Literal("ok") });
/** What is worth knowing about a manifest that was accepted. */
const Warnings = Type.Immutable(
  Type.Array(
    Type.Object({
      pointer: Type.String(),
      code: words(...MANIFEST_WARNINGS),
      detail: Type.Optional(Type.String()),
    }),
  ),
);
/** The person's card, base64; null if none is published. */
const PersonCard = Type.Union([Type.Null(), Type.String()]);
export const PairingTicketAnswer = Type.Object({
  pairing_id: Id,
  code: Type.String({ pattern: "^[2-9A-HJKMNP-Z]{3}-[2-9A-HJKMNP-Z]{3}$" }),
  /** Only authorizes waiting for the answer. */
  pairing_token: Type.String(),
  expires_at: Timestamp,
  warnings: Warnings,
  /** The same one comes with the accepted pairing. */
  person_card: PersonCard,
});
/**
 * `GET /pairings/:id?wait_ms=`: answers at once when settled, otherwise with `waiting` after
 * `wait_ms`.
 */
export const PairingStateAnswer = Type.Union([
  Type.Object({ status: Type.Literal("waiting") }),
  Type.Object({ status: Type.Union([Type.Literal("refused"), Type.Literal("expired")]) }),
  Type.Object({
    status: Type.Literal("accepted"),
    agent_id: Id,
    token: Type.String({ pattern: "^hsk_[0-9A-Za-z]{40}$" }),
    user_id: Id,
    conversation_id: Id,
    granted_scopes: Scopes,
    person_card: PersonCard,
  }),
]);
export const Withdrawn = Type.Object({ status: Type.Literal("withdrawn") });

const agent = {
  agent_id: Id,
  name: Type.String(),
  connection_mode: words("websocket", "webhook"),
  capability_manifest: Type.Unknown(),
  capability_manifest_version: Version,
  capability_manifest_hash: Hash,
};
export const AgentAnswer = Type.Object(agent);

const relation = {
  ...RelationFrame.properties.payload.properties,
  granted_scopes: Scopes,
  /** What a breaking manifest asks for that the person has not answered yet. */
  reauth: Type.Union([Type.Null(), Type.Object({ manifest_version: Version, scopes: Scopes })]),
};
export const RelationAnswer = Type.Object(relation);
export const RelationsAnswer = Type.Array(RelationAnswer);
export const PairingAnswered = Type.Union([
  Type.Object({ status: Type.Literal("refused") }),
  Type.Object({ ...agent, ...relation }),
]);

const accepted = {
  agent_id: Id,
  capability_manifest_version: Version,
  capability_manifest_hash: Hash,
  breaking_changes: Type.Immutable(Type.Array(BreakingChangeSchema)),
  warnings: Warnings,
};
const connected = {
  connection_mode: words("websocket", "webhook"),
  webhook_url: Type.Optional(Type.String()),
  /** Base64 of 32 random bytes. Returned once; repeating the change creates a new secret. */
  webhook_secret: Type.Optional(Type.String()),
};
export const AgentCreated = Type.Object({
  ...accepted,
  ...connected,
  connection_mode: Type.Optional(connected.connection_mode),
  token: Type.String({ pattern: "^hsk_[0-9A-Za-z]{40}$" }),
});
/** Null: it has connected there before, and has a token. */
export const AgentArrived = Type.Object({
  agent_id: Id,
  token: Type.Union([AgentCreated.properties.token, Type.Null()]),
});
const ConnectionPatched = Type.Object({ agent_id: Id, ...connected });
/** What a manifest changes, or would change if it were uploaded; its version is then the present one's. */
export const ManifestPreviewed = Type.Object(accepted);
export const AgentPatched = Type.Union([ManifestPreviewed, ConnectionPatched]);
export const ConversationsAnswer = Type.Array(ConversationSummary);
export const ConversationAnswer = ConversationView;
const Base64 = Type.String({ pattern: "^[A-Za-z0-9+/]+=*$" });
export const KeysStateAnswer = Type.Object({ key_id: Base64, one_time_left: Count });
export const IdentityCardAnswer = Type.Object({ owner_id: Id, identity_card: Base64 });
export const PrekeyBundleAnswer = Type.Object({ bundle: Base64 });
export const LedgerEntriesAnswer = Type.Object({
  /** All entries from the requested index on. */
  entries: Type.Immutable(Type.Array(Base64)),
  length: Count,
});
export const LedgerLength = Type.Object({ length: Count });
export const MemberRemoved = Type.Object({ conversation_id: Id, member_id: Id });

const { type: _, ...receipt } = MessageAckFrame.properties;
export const MessageCreated = Type.Object(receipt);

export type PairingTicket = Type.Static<typeof PairingTicketAnswer>;
export type PairingState = Type.Static<typeof PairingStateAnswer>;
export type AgentView = Type.Static<typeof AgentAnswer>;
export type ConnectionChanged = Type.Static<typeof ConnectionPatched>;
export type ManifestAccepted = Type.Static<typeof ManifestPreviewed>;
export type RelationView = Type.Static<typeof RelationAnswer>;
export type KeysState = Type.Static<typeof KeysStateAnswer>;
export type IdentityAnswer = Type.Static<typeof IdentityCardAnswer>;
export type BundleAnswer = Type.Static<typeof PrekeyBundleAnswer>;
export type LedgerAnswer = Type.Static<typeof LedgerEntriesAnswer>;
