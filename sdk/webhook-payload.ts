import { isJsonObject, type JsonObject } from "../app/contract/json.ts";
import { ENCRYPTED } from "../app/protocol/v1/encrypted.ts";
import type { MessageNewFrame } from "../app/protocol/v1/frames.ts";
import { SealingError } from "../app/protocol/v1/message-sealing.ts";
import { plainMail } from "./encryption/plain-mail.ts";
import type { InboundMessage, ToolResponseFields } from "./events.ts";
import { readMessage } from "./open-message.ts";
import { frameOf, webhookBody } from "./read-webhook.ts";
import { WebhookError } from "./webhook-error.ts";

/** Somebody wrote to the agent. */
export interface WebhookMessagePayload {
  readonly type: "message.new";
  readonly message: InboundMessage;
  /** Rises by one with each message of the conversation. */
  readonly conversation_seq: number;
}

/** The person's client answered a tool call. */
export interface WebhookToolResponsePayload {
  readonly type: "artifact_response";
  readonly conversation_id: string;
  readonly conversation_seq: number;
  readonly response: ToolResponseFields;
}

export interface WebhookEventPayload {
  readonly type:
    | "relation.established"
    | "relation.updated"
    | "relation.suspended"
    | "relation.restored"
    | "relation.revoked"
    | "h2a.reauth_required"
    | "agent.capability_changed";
  readonly conversation_id: string;
  /** As in the event of the same name (docs/protocol.md). */
  readonly payload: JsonObject;
}

export type WebhookPayload =
  | WebhookMessagePayload
  | WebhookToolResponsePayload
  | WebhookEventPayload;

/**
 * Reads a delivery's body as strict JSON and opens its envelope. Verify its signature first.
 * @param rawBody as it came
 * @throws WebhookError `payload_not_json`, `payload_malformed` (not a shape of version 1),
 *   `envelope_unreadable` (the envelope, or what is inside it)
 */
export function parseWebhookPayload(rawBody: string | Uint8Array): WebhookPayload {
  const body = webhookBody(rawBody);
  if (body.wire_envelope === null) {
    const { type, metadata, payload } = body;
    return { type, conversation_id: metadata.conversation_id, payload: asObject(payload) };
  }
  const frame = frameOf(body);
  const { conversation_id, conversation_seq } = frame;
  const opened = readMessage(frame, openPlain(frame));
  switch (opened.kind) {
    case "message":
      return { type: "message.new", message: opened.message, conversation_seq };
    case "response":
      return {
        type: "artifact_response",
        conversation_id,
        conversation_seq,
        response: opened.response,
      };
    default:
      throw new WebhookError("envelope_unreadable");
  }
}

/** An encrypted one takes keys, which an agent has and this function has not. */
function openPlain(frame: MessageNewFrame): Uint8Array {
  try {
    if (ENCRYPTED) throw new SealingError("downgraded");
    return plainMail.open(frame).plaintext;
  } catch {
    throw new WebhookError("envelope_unreadable");
  }
}

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
