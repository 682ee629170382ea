import Type from "typebox";
import { guardOf } from "../../contract/checked.ts";
import {
  CapabilityChangedFrame,
  MessageNewFrame,
  ReauthRequiredFrame,
  RelationFrame,
} from "./frames.ts";

/** What is posted to a webhook agent (platform: webhooks). Unknown fields are passed on. */
const { type: message, encrypted_payload: wire_envelope, ...metadata } = MessageNewFrame.properties;
const version = Type.Literal("v1");

/** A message; `metadata` has the other fields of the frame. */
export const WebhookMessage = Type.Object({
  type: Type.Union([message, Type.Literal("artifact_response")]),
  version,
  wire_envelope,
  metadata: Type.Object(metadata),
});

const { conversation_id, sender_id, created_at } = metadata;
const ofEvent = {
  version,
  wire_envelope: Type.Null(),
  metadata: Type.Object({ conversation_id, sender_id, created_at }),
};
const { notice_id: _, ...notice } = ReauthRequiredFrame.properties.payload.properties;

export const WebhookBody = Type.Union([
  WebhookMessage,
  Type.Object({ ...RelationFrame.properties, ...ofEvent }),
  Type.Object({ ...ReauthRequiredFrame.properties, payload: Type.Object(notice), ...ofEvent }),
  Type.Object({ ...CapabilityChangedFrame.properties, ...ofEvent }),
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
