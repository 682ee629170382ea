import { isJsonObject, type JsonObject } from "../app/contract/json.ts";
import { type SealingError, sealingError } from "../app/protocol/v1/message-sealing.ts";
import type { OpenedMail } from "./encryption/encryption-events.ts";
import { AgentError, type WebhookErrorCode } from "./errors.ts";
import type { ArtifactAnswer, InboundMessage, ToolResponseFields } from "./events.ts";
import { readMessage } from "./message-codec.ts";
import { frameOf, webhookBody } from "./webhook-intake.ts";

/** A message that was opened. */
interface OpenedDelivery {
  /**
   * Call it when you have handled the message, before you answer the hub: from then on the same
   * delivery is `already_received`. Until then it can be opened again, even after a crash.
   * @throws AgentError (rejects) `keys_unavailable`: it could not be recorded; answer 503
   */
  done(): Promise<void>;
}

/** Somebody wrote to the agent. */
export interface WebhookMessagePayload extends OpenedDelivery {
  readonly type: "message.new";
  readonly message: InboundMessage;
  /** Rises by one with each message of the conversation. */
  readonly conversation_seq: number;
}

/** The person's client answered a tool call. */
export interface WebhookToolResponsePayload extends OpenedDelivery {
  readonly type: "artifact_response";
  readonly conversation_id: string;
  readonly conversation_seq: number;
  readonly response: ToolResponseFields;
}

/** The person answered an artifact. */
export interface WebhookArtifactAnswerPayload extends OpenedDelivery {
  readonly type: "artifact_answer";
  readonly conversation_seq: number;
  readonly answer: ArtifactAnswer;
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
  | WebhookArtifactAnswerPayload
  | WebhookEventPayload;

/** A message as the hub delivers it. */
export interface WireMessage extends Omit<InboundMessage, "payload"> {
  /** The envelope, base64. */
  readonly encrypted_payload: string;
  readonly conversation_seq: number;
}

/** What opens envelopes: a `HasheeAgent`. */
export interface EnvelopeOpener {
  openEnvelope(message: WireMessage): Promise<OpenedMail>;
}

/**
 * Reads a delivery's body as strict JSON and opens its envelope with the agent's keys. Verify the
 * signature first. An envelope can be opened until `done()` is called.
 *
 * @param rawBody the unparsed body
 * @param agent the agent that it was posted to, with `connectionMode: "webhook"`. This does not
 *   answer a pending `callTool`: pass those deliveries to `handleWebhook`.
 * @throws AgentError (rejects) `payload_not_json`, `payload_malformed` (not a shape of version 1),
 *   `envelope_unreadable` (the envelope, or what is inside it), `already_received`, `key_changed`,
 *   `keys_unavailable`; answer the hub with its `status`
 */
export async function parseWebhookPayload(
  rawBody: string | Uint8Array,
  agent: EnvelopeOpener,
): Promise<WebhookPayload> {
  const body = webhookBody(rawBody);
  if (body.wire_envelope === null) {
    const { type, metadata, payload } = body;
    return { type, conversation_id: metadata.conversation_id, payload: asObject(payload) };
  }
  const frame = frameOf(body);
  const { conversation_id, conversation_seq } = frame;
  const mail = await coded(() => agent.openEnvelope(frame));
  const done = () => coded(() => mail.done());
  const opened = readMessage(frame, mail.plaintext, mail.callId);
  switch (opened.kind) {
    case "message":
      return { type: "message.new", message: opened.message, conversation_seq, done };
    case "response": {
      const { response } = opened;
      return { type: "artifact_response", conversation_id, conversation_seq, response, done };
    }
    case "answer": {
      const { ref_agent: _, ...fields } = opened.answer;
      const answer = { conversation_id, ...fields };
      return { type: "artifact_answer", conversation_seq, answer, done };
    }
    default:
      throw new AgentError("envelope_unreadable");
  }
}

async function coded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sealingError.is(error)) throw new AgentError(codeOf(error), { refusal: error.code });
    throw new AgentError("keys_unavailable");
  }
}

function codeOf({ code }: SealingError): WebhookErrorCode {
  switch (code) {
    case "replayed":
      return "already_received";
    case "key_changed":
      return "key_changed";
    case "keys_missing":
    case "storage_failed":
    case "corrupt_state":
      return "keys_unavailable";
    default:
      return "envelope_unreadable";
  }
}

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
