import { reconnectDelayMs } from "../../app/protocol/link/reconnect-delay.ts";
import { faultOf } from "../hub-error.ts";
import type { Clock, Log, RandomBytes, Scheduler } from "../hub-options.ts";
import type { Waiting, Webhook } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { writeDelivery } from "./delivery-body.ts";
import { deliveryId } from "./delivery-id.ts";
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
