import { isJsonObject, type JsonValue, ownValue } from "../app/contract/json.ts";
import { parseStrictJson } from "../app/contract/strict-json.ts";
import type { Inbox } from "../app/protocol/link/inbox.ts";
import { MAX_FRAME_BYTES, type MessageNewFrame } from "../app/protocol/v1/frames.ts";
import {
  isWebhookBody,
  WEBHOOK_HEADERS,
  type WebhookBody,
  type WebhookMessage,
} from "../app/protocol/v1/webhook.ts";
import { AgentError, type AgentErrorCode } from "./errors.ts";
import type { AgentEvent } from "./events.ts";
import { askHub, type HubPorts } from "./hub-client.ts";
import {
  SeenDeliveries,
  verifyWebhookSignature,
  type WebhookHeaders,
  webhookHeader,
} from "./webhook-signature.ts";

export interface IntakePorts {
  readonly now: () => number;
  readonly inbox: Inbox;
  /** @returns settles when the handlers are done */
  event(event: AgentEvent): Promise<void>;
}

/** Checks what the hub posts and passes it to the agent once. */
export class WebhookIntake {
  /** Signs what the hub posts; `undefined`: nothing is accepted. */
  secret: string | undefined;
  readonly #ports: IntakePorts;
  readonly #seen: SeenDeliveries;
  /** Deliveries whose handlers have not finished, by ID: the hub posts one again after 10 s. */
  readonly #running = new Map<string, Promise<void>>();
  /** Callbacks that wait for a message to be handled, by conversation and number. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(secret: string | undefined, ports: IntakePorts) {
    this.secret = secret;
    this.#ports = ports;
    this.#seen = new SeenDeliveries({ now: ports.now });
  }

  /** Called by the inbox when a message has been handled. */
  received(conversationId: string, seq: number): void {
    const key = `${seq} ${conversationId}`;
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const done of waiting) done();
  }

  /** Resolves when the handlers have finished. @throws AgentError */
  async take(headers: WebhookHeaders, rawBody: string | Uint8Array): Promise<void> {
    const { now } = this.#ports;
    if (this.secret === undefined) throw new AgentError("not_a_webhook_agent");
    if (!(await verifyWebhookSignature(this.secret, headers, rawBody, { now }))) {
      throw new AgentError("signature_invalid");
    }
    const id = webhookHeader(headers, WEBHOOK_HEADERS.deliveryId) ?? "";
    if (this.#seen.has(id)) return;
    await (this.#running.get(id) ?? this.#begin(id, rawBody));
  }

  #begin(id: string, rawBody: string | Uint8Array): Promise<void> {
    const running = this.#handle(rawBody)
      .then(() => this.#seen.remember(id))
      .finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  async #handle(rawBody: string | Uint8Array): Promise<void> {
    const body = webhookBody(rawBody);
    if (body.wire_envelope === null) {
      const { type, payload } = body;
      await this.#ports.event({ type, payload } as AgentEvent);
    } else {
      await this.#message(frameOf(body));
    }
  }

  #message(frame: ReturnType<typeof frameOf>): Promise<void> {
    const key = `${frame.conversation_seq} ${frame.conversation_id}`;
    return new Promise((resolve) => {
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]);
      this.#ports.inbox.accept(frame);
    });
  }
}

/** @throws AgentError `payload_not_json`, `payload_malformed` */
export function webhookBody(rawBody: string | Uint8Array): WebhookBody {
  const value = strictJson(rawBody);
  if (!isWebhookBody(value)) throw new AgentError("payload_malformed");
  return value;
}

function strictJson(rawBody: string | Uint8Array): JsonValue {
  const bytes = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;
  try {
    return parseStrictJson(bytes, MAX_FRAME_BYTES);
  } catch {
    throw new AgentError("payload_not_json");
  }
}

/** The message as it would have come over a WebSocket. */
export function frameOf(body: WebhookMessage): MessageNewFrame {
  return { type: "message.new", encrypted_payload: body.wire_envelope, ...body.metadata };
}

const REFUSALS: Readonly<Record<string, AgentErrorCode>> = {
  UNAUTHENTICATED: "invalid_token",
  AGENT_REMOVED: "agent_removed",
};

/**
 * Sets the address that the hub posts an agent's deliveries to.
 * @returns the secret that signs the deliveries
 * @throws AgentError `webhook_refused`, `invalid_token`, `agent_removed`, `hub_unreachable`,
 * `invalid_base_url`
 */
export async function receiveAt(
  ports: HubPorts,
  { agentId, token }: { readonly agentId: string; readonly token: string },
  webhook_url: string,
): Promise<string> {
  const answer = await askHub(ports, {
    method: "PATCH",
    path: `/agents/${encodeURIComponent(agentId)}`,
    token,
    body: { connection_mode: "webhook", webhook_url },
  });
  if (answer.kind === "refused") {
    throw new AgentError(REFUSALS[answer.code] ?? "webhook_refused", { value: webhook_url });
  }
  const data = answer.kind === "data" && isJsonObject(answer.data) ? answer.data : {};
  const secret = ownValue(data, "webhook_secret");
  if (typeof secret !== "string") throw new AgentError("hub_unreachable", { value: ports.baseUrl });
  return secret;
}
