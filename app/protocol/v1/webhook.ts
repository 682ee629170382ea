import Type from "typebox";
import { guardOf } from "../../contract/checked.ts";
import { BreakingChangeSchema } from "./breaking-change-schema.ts";

/** What is posted to a webhook agent (platform: webhooks). Unknown fields are passed on. */
const Id = Type.String({ minLength: 1, maxLength: 128 });
const Text = Type.String();

const Metadata = Type.Object({
  conversation_id: Id,
  sender_id: Id,
  /** ISO 8601. */
  created_at: Text,
});

/** A message; `metadata` also has the other fields of `message.new`. */
export const WebhookMessage = Type.Object({
  type: Type.Union([Type.Literal("message.new"), Type.Literal("artifact_response")]),
  version: Type.Literal("v1"),
  /** The sealed envelope, base64. */
  wire_envelope: Text,
  metadata: Type.Object({
    ...Metadata.properties,
    conversation_type: Type.Union([
      Type.Literal("h2h"),
      Type.Literal("h2a"),
      Type.Literal("group"),
    ]),
    conversation_seq: Type.Integer({ minimum: 1 }),
    message_id: Id,
    sender_type: Type.Union([Type.Literal("human"), Type.Literal("agent"), Type.Literal("system")]),
    content_type: Type.Union([Type.Literal("text"), Type.Literal("artifact")]),
    msg_subtype: Type.Optional(Text),
  }),
});

const Relation = Type.Object({
  relation_id: Id,
  agent_id: Id,
  user_id: Id,
  conversation_id: Id,
  granted_scopes: Type.Array(Text),
});
const event = <Kind extends string, Payload extends Type.TObject>(type: Kind, payload: Payload) =>
  Type.Object({
    type: Type.Literal(type),
    version: Type.Literal("v1"),
    wire_envelope: Type.Null(),
    metadata: Metadata,
    payload,
  });

const WebhookRelation = Type.Union([
  event("relation.established", Relation),
  event("relation.updated", Relation),
  event("relation.suspended", Relation),
  event("relation.restored", Relation),
  event("relation.revoked", Relation),
]);
const WebhookReauthRequired = event(
  "h2a.reauth_required",
  Type.Object({
    agent_id: Id,
    new_manifest_version: Type.Integer(),
    new_manifest_hash: Text,
    scopes_requiring_reauth: Type.Array(Text),
    breaking_changes: Type.Array(BreakingChangeSchema),
  }),
);
/** The person has answered a request for re-consent. */
const WebhookCapabilityChanged = event(
  "agent.capability_changed",
  Type.Object({
    relation_id: Id,
    agent_id: Id,
    user_id: Id,
    capability_manifest_version: Type.Integer(),
    /** True if every scope that had to be asked for again is now granted. */
    accepted: Type.Boolean(),
    granted_scopes: Type.Array(Text),
  }),
);

export const WebhookBody = Type.Union([
  WebhookMessage,
  ...WebhookRelation.anyOf,
  WebhookReauthRequired,
  WebhookCapabilityChanged,
]);
export type WebhookMessage = Type.Static<typeof WebhookMessage>;
export type WebhookBody = Type.Static<typeof WebhookBody>;
export const isWebhookBody = guardOf(WebhookBody);

export const WEBHOOK_HEADERS = {
  signature: "x-hashee-signature",
  timestamp: "x-hashee-timestamp",
  deliveryId: "x-hashee-delivery-id",
  agentId: "x-hashee-agent-id",
} as const;
/** A delivery whose signature is older than this, or this far in the future, is refused. */
export const WEBHOOK_WINDOW_MS = 300_000;
