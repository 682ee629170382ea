import { createHash } from "node:crypto";
import { reconnectDelayMs } from "../../app/protocol/link/connection.ts";
import { TOOL_RESPONSE_SUBTYPE } from "../../app/protocol/v1/tool-messages.ts";
import type { WebhookBody } from "../../app/protocol/v1/webhook.ts";
import { faultOf } from "../hub-error.ts";
import type { Clock, Log, RandomBytes, Scheduler } from "../hub-options.ts";
import type { Undelivered, Waiting, WaitingEvent, Webhook } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { messageFrame } from "../lines/delivery-feed.ts";
import type { PostDelivery } from "./post-delivery.ts";

/** The longest time between two attempts. */
const RETRY_CAP_MS = 300_000;
/** What is older than this when an attempt fails is given up. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

export interface LanePorts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly post: PostDelivery;
  readonly storage: Pick<HubStorage, "nextDelivery" | "settleDelivery">;
}

/**
 * One agent's deliveries in one conversation: one at a time, so that none overtakes another. It holds
 * only the one it is sending; the others wait in the database, even across a crash.
 */
export class Lane {
  readonly #ports: LanePorts;
  readonly #webhook: Webhook;
  readonly #conversationId: string;
  readonly #stop = new AbortController();
  #cancelTimer: () => void = () => undefined;
  #failures = 0;

  constructor(ports: LanePorts, webhook: Webhook, conversationId: string) {
    this.#ports = ports;
    this.#webhook = webhook;
    this.#conversationId = conversationId;
  }

  /** @param idle nothing waits any more; not called after `stop` */
  run(idle: () => void): void {
    this.#deliver(idle).catch((error: unknown) => {
      // An internal error of the hub, such as a full disk, which may pass.
      this.#ports.log({ code: "webhook_lane_failed", fault: faultOf(error) });
      this.#later(idle);
    });
  }

  stop(): void {
    this.#stop.abort();
    this.#cancelTimer();
  }

  async #deliver(idle: () => void): Promise<void> {
    for (let next = await this.#head(); next !== undefined; next = await this.#head()) {
      const isTaken = await this.#post(next);
      if (this.#isStopped()) return;
      if (!isTaken) {
        await this.#giveUpOld();
        return this.#later(idle);
      }
      this.#failures = 0;
      await this.#settle(next);
    }
    if (!this.#isStopped()) idle();
  }

  /** Nothing once it is stopped. */
  async #head(): Promise<Waiting | undefined> {
    if (this.#isStopped()) return undefined;
    const { agent_id } = this.#webhook;
    const head = await this.#ports.storage.nextDelivery(agent_id, this.#conversationId);
    return this.#isStopped() ? undefined : head;
  }

  /** The endpoint has it, or it is given up: it is not sent again. */
  #settle(waiting: Waiting): Promise<void> {
    return this.#ports.storage.settleDelivery(this.#webhook.agent_id, waiting);
  }

  #isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  #post(waiting: Waiting): Promise<boolean> {
    const { agent_id: agentId, url, secret } = this.#webhook;
    const { eventId, createdAt, body } = writeDelivery(waiting);
    const post = {
      agentId,
      url,
      secret,
      deliveryId: deliveryId(agentId, eventId, createdAt),
      body,
    };
    return this.#ports.post(post, this.#stop.signal);
  }

  #later(idle: () => void): void {
    if (this.#isStopped()) return;
    const chance = Buffer.from(this.#ports.random(4)).readUInt32BE() / 2 ** 32;
    const ms = reconnectDelayMs(this.#failures, chance, RETRY_CAP_MS);
    this.#failures += 1;
    this.#cancelTimer = this.#ports.scheduler.after(ms, () => this.run(idle));
    this.#ports.log({ code: "webhook_waits", agent_id: this.#webhook.agent_id, ms });
  }

  /** An endpoint that has been dead for a day costs no more than a day's messages. */
  async #giveUpOld(): Promise<void> {
    const before = this.#ports.clock.now() - GIVE_UP_AFTER_MS;
    for (let next = await this.#head(); next !== undefined; next = await this.#head()) {
      const { created_at } = next.kind === "message" ? next.message : next.event;
      if (created_at >= before) return;
      this.#ports.log({ code: "webhook_gave_up", agent_id: this.#webhook.agent_id });
      await this.#settle(next);
    }
  }
}

interface WrittenDelivery {
  readonly eventId: string;
  readonly createdAt: number;
  readonly body: Uint8Array;
}

/** The bytes that are signed and sent, the same at every attempt. */
function writeDelivery(waiting: Waiting): WrittenDelivery {
  const isMessage = waiting.kind === "message";
  const body = isMessage ? messageBody(waiting.message) : eventBody(waiting.event);
  return {
    eventId: isMessage ? waiting.message.message_id : waiting.event.event_id,
    createdAt: isMessage ? waiting.message.created_at : waiting.event.created_at,
    body: Buffer.from(JSON.stringify(body), "utf8"),
  };
}

function messageBody(message: Undelivered): WebhookBody {
  const { type, encrypted_payload: wire_envelope, ...metadata } = messageFrame(message);
  const isAnswer = message.msg_subtype === TOOL_RESPONSE_SUBTYPE;
  return { type: isAnswer ? "artifact_response" : type, version: "v1", wire_envelope, metadata };
}

const eventBody = (event: WaitingEvent) => ({
  type: event.type,
  version: "v1",
  wire_envelope: null,
  metadata: {
    conversation_id: event.conversation_id,
    sender_id: event.sender_id,
    created_at: new Date(event.created_at).toISOString(),
  },
  payload: JSON.parse(event.payload) as unknown,
});

/**
 * The id of one delivery: the same at every attempt and after a restart, and another for every
 * agent, also where two are told of one message. RFC 9562 §5.7 (UUID version 7): when it came
 * about, and in place of chance a digest of what it is about.
 *
 * @param createdAt milliseconds since the epoch
 */
function deliveryId(agentId: string, eventId: string, createdAt: number): string {
  const bytes = createHash("sha256").update(`${agentId}\n${eventId}`).digest().subarray(0, 16);
  bytes.writeUIntBE(createdAt, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
