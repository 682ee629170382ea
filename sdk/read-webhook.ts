import type { JsonValue } from "../app/contract/json.ts";
import { parseStrictJson } from "../app/contract/strict-json.ts";
import { MAX_FRAME_BYTES, type MessageNewFrame } from "../app/protocol/v1/frames.ts";
import {
  isWebhookBody,
  type WebhookBody,
  type WebhookMessage,
} from "../app/protocol/v1/webhook.ts";
import { WebhookError } from "./webhook-error.ts";

/** @throws WebhookError `payload_not_json`, `payload_malformed` */
export function webhookBody(rawBody: string | Uint8Array): WebhookBody {
  const value = strictJson(rawBody);
  if (!isWebhookBody(value)) throw new WebhookError("payload_malformed");
  return value;
}

function strictJson(rawBody: string | Uint8Array): JsonValue {
  const bytes = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;
  try {
    return parseStrictJson(bytes, MAX_FRAME_BYTES);
  } catch {
    throw new WebhookError("payload_not_json");
  }
}

/** The message as it would have come over a WebSocket. */
export function frameOf(body: WebhookMessage): MessageNewFrame {
  return { type: "message.new", encrypted_payload: body.wire_envelope, ...body.metadata };
}
