import Type, { type TSchema } from "typebox";
import { MANIFEST_WARNINGS } from "../../app/contract/manifest-remarks.ts";
import { BreakingChangeSchema } from "../../app/protocol/v1/breaking-change-schema.ts";
import {
  ConversationSummary,
  ConversationView,
  ReadPosition,
} from "../../app/protocol/v1/conversation.ts";
import { Id } from "../../app/protocol/v1/fields.ts";
import { MessageAckFrame, RelationFrame } from "../../app/protocol/v1/frames.ts";
import { HUB_ERRORS } from "../../app/protocol/v1/rest.ts";

/** What the REST side answers. Requests have theirs in app/protocol/v1/rest.ts. */
const Scopes = Type.Array(Type.String());
const words = <const Word extends string>(...of: readonly Word[]) =>
  Type.Union(of.map((word) => Type.Literal(word)));
const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Version = Type.Integer({ minimum: 1 });
const Timestamp = Type.String({ format: "date-time" });

export const Health = Type.Object({ status: Type.Literal("ok") });
const Warnings = Type.Array(
  Type.Object({
    pointer: Type.String(),
    code: words(...MANIFEST_WARNINGS),
    detail: Type.Optional(Type.String()),
  }),
);
export const PairingTicketAnswer = Type.Object({
  pairing_id: Id,
  code: Type.String({ pattern: "^[2-9A-HJKMNP-Z]{3}-[2-9A-HJKMNP-Z]{3}$" }),
  pairing_token: Type.String(),
  expires_at: Timestamp,
  warnings: Warnings,
  person_card: Type.Union([Type.Null(), Type.String()]),
});
export const PairingStateAnswer = Type.Union([
  Type.Object({ status: words("waiting", "refused", "expired") }),
  Type.Object({
    status: Type.Literal("accepted"),
    agent_id: Id,
    token: Type.String({ pattern: "^hsk_[0-9A-Za-z]{40}$" }),
    user_id: Id,
    conversation_id: Id,
    granted_scopes: Scopes,
    person_card: Type.Union([Type.Null(), Type.String()]),
  }),
]);
export const Withdrawn = Type.Object({ status: Type.Literal("withdrawn") });

const agent = {
  agent_id: Id,
  name: Type.String(),
  connection_mode: words("websocket", "webhook"),
  capability_manifest: Type.Object({}),
  capability_manifest_version: Version,
  capability_manifest_hash: Hash,
};
export const AgentAnswer = Type.Object(agent);

const relation = {
  ...RelationFrame.properties.payload.properties,
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
  breaking_changes: Type.Array(BreakingChangeSchema),
  warnings: Warnings,
};
const connected = {
  connection_mode: words("websocket", "webhook"),
  webhook_url: Type.Optional(Type.String()),
  webhook_secret: Type.Optional(Type.String()),
};
export const AgentCreated = Type.Object({
  ...accepted,
  ...connected,
  connection_mode: Type.Optional(connected.connection_mode),
  token: Type.String({ pattern: "^hsk_[0-9A-Za-z]{40}$" }),
});
export const AgentPatched = Type.Union([
  Type.Object(accepted),
  Type.Object({ agent_id: Id, ...connected }),
]);
export const ManifestPreviewed = Type.Object(accepted);
export const ConversationsAnswer = Type.Array(ConversationSummary);
export const ConversationAnswer = ConversationView;
const Count = Type.Integer({ minimum: 0 });
const Base64 = Type.String({ pattern: "^[A-Za-z0-9+/]+=*$" });
export const KeysStandingAnswer = Type.Object({ key_id: Base64, one_time_left: Count });
export const IdentityCardAnswer = Type.Object({ owner_id: Id, identity_card: Base64 });
export const PrekeyBundleAnswer = Type.Object({ bundle: Base64 });
export const LedgerEntriesAnswer = Type.Object({ entries: Type.Array(Base64), length: Count });
export const LedgerLength = Type.Object({ length: Count });
export const MemberRemoved = Type.Object({ conversation_id: Id, member_id: Id });
export { ReadPosition };

const { type: _, ...receipt } = MessageAckFrame.properties;
export const MessageCreated = Type.Object(receipt);

export const ErrorAnswer = Type.Object({
  error: Type.Object({
    code: words(...Object.keys(HUB_ERRORS)),
    message: Type.String(),
    i18n_key: Type.String(),
    params: Type.Record(Type.String(), Type.Unknown()),
  }),
});

/** contract §8: success is `{data}`. */
export const dataOf = (schema: TSchema): TSchema => Type.Object({ data: schema });
