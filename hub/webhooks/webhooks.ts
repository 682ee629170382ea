import type { Connections } from "../lines/connections.ts";
import type { WebhookEvent, WebhookRow, WebhookStore } from "../storage/webhook-store.ts";
import { newId } from "../tokens/random-text.ts";
import { Lane, type LanePorts } from "./lane.ts";

type NewEvent = Pick<WebhookEvent, "agent_id" | "conversation_id" | "type" | "sender_id"> & {
  readonly payload: object;
};

export interface WebhooksPorts extends Omit<LanePorts, "head"> {
  readonly store: WebhookStore;
  readonly connections: Connections;
}

/** Lanes that run side by side for one agent; the others wait for one of them to end. */
const LANES_AT_MOST = 8;

/** The agents that are called instead of calling in. */
export class Webhooks {
  readonly #ports: WebhooksPorts;
  readonly #webhooks = new Map<string, WebhookRow>();
  /** By agent, then by conversation. */
  readonly #lanes = new Map<string, Map<string, Lane>>();

  constructor(ports: WebhooksPorts) {
    this.#ports = ports;
    for (const webhook of ports.store.all()) this.#webhooks.set(webhook.agent_id, webhook);
    for (const agentId of this.#webhooks.keys()) ports.connections.setCalled(agentId, true);
  }

  has(agentId: string): boolean {
    return this.#webhooks.has(agentId);
  }

  /** Goes on with what the last run left. */
  begin(): void {
    for (const agentId of this.#webhooks.keys()) this.wakeAll(agentId);
  }

  /** Keeps the event for a webhook agent. Must run inside the transaction of what it tells. */
  note({ payload, ...event }: NewEvent): void {
    if (!this.has(event.agent_id)) return;
    this.#ports.store.addEvent({
      ...event,
      event_id: newId(this.#ports.random),
      payload: JSON.stringify(payload),
      created_at: this.#ports.clock.now(),
    });
    // Behind the transaction, which holds no promise.
    queueMicrotask(() => this.wake(event.agent_id, event.conversation_id));
  }

  /** Something may wait for this agent in this conversation. */
  wake(agentId: string, conversationId: string): void {
    const webhook = this.#webhooks.get(agentId);
    if (webhook === undefined) return;
    const lanes = this.#lanes.get(agentId) ?? new Map<string, Lane>();
    if (lanes.has(conversationId) || lanes.size >= LANES_AT_MOST) return;
    this.#lanes.set(agentId, lanes);
    const lane = new Lane(
      { ...this.#ports, head: (...of) => this.#ports.store.head(...of) },
      webhook,
      conversationId,
    );
    lanes.set(conversationId, lane);
    lane.run(() => {
      lanes.delete(conversationId);
      // One that found no room before, or what came while this one ended.
      this.wakeAll(agentId);
    });
  }

  /** The agent is called from now on, under this secret. The store has it already. */
  switchedOn(webhook: WebhookRow): void {
    this.#stopLanes(webhook.agent_id);
    this.#webhooks.set(webhook.agent_id, webhook);
    this.#ports.connections.setCalled(webhook.agent_id, true);
    this.wakeAll(webhook.agent_id);
  }

  switchedOff(agentId: string): void {
    this.#stopLanes(agentId);
    this.#webhooks.delete(agentId);
    this.#ports.connections.setCalled(agentId, false);
  }

  close(): void {
    for (const agentId of [...this.#lanes.keys()]) this.#stopLanes(agentId);
    this.#webhooks.clear();
  }

  /** Something may wait for this agent in any conversation. */
  wakeAll(agentId: string): void {
    if (!this.has(agentId)) return;
    for (const conversationId of this.#ports.store.lanes(agentId)) {
      this.wake(agentId, conversationId);
    }
  }

  #stopLanes(agentId: string): void {
    for (const lane of this.#lanes.get(agentId)?.values() ?? []) lane.stop();
    this.#lanes.delete(agentId);
  }
}
