import { faultOf } from "../hub-error.ts";
import type { NewEvent, Webhook } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { Connections } from "../lines/connections.ts";
import { newId } from "../tokens/random-text.ts";
import { Lane, type LanePorts } from "./lane.ts";

export interface WebhooksPorts extends LanePorts {
  readonly storage: LanePorts["storage"] & Pick<HubStorage, "lanes">;
  readonly connections: Connections;
}

/** The most lanes that run in parallel for one agent; the others wait for one to end. */
const LANES_AT_MOST = 8;

/** The agents that are called instead of calling in. */
export class Webhooks {
  readonly #ports: WebhooksPorts;
  readonly #webhooks = new Map<string, Webhook>();
  /** By agent, then by conversation. */
  readonly #lanes = new Map<string, Map<string, Lane>>();

  /** @param webhooks all there are */
  constructor(ports: WebhooksPorts, webhooks: readonly Webhook[]) {
    this.#ports = ports;
    for (const webhook of webhooks) {
      this.#webhooks.set(webhook.agent_id, webhook);
      ports.connections.setCalled(webhook.agent_id, true);
    }
  }

  has(agentId: string): boolean {
    return this.#webhooks.has(agentId);
  }

  /** Continues with what the last run left. */
  begin(): void {
    for (const agentId of this.#webhooks.keys()) this.wakeAll(agentId);
  }

  /** Tells a webhook agent what this frame tells others. */
  event({ type, payload }: { readonly type: string; readonly payload: object }): NewEvent {
    const { random, clock } = this.#ports;
    const event_id = newId(random);
    return { event_id, type, payload: JSON.stringify(payload), created_at: clock.now() };
  }

  /** Something may wait for this agent in this conversation. */
  wake(agentId: string, conversationId: string): void {
    const webhook = this.#webhooks.get(agentId);
    if (webhook === undefined) return;
    const lanes = this.#lanes.get(agentId) ?? new Map<string, Lane>();
    if (lanes.has(conversationId) || lanes.size >= LANES_AT_MOST) return;
    this.#lanes.set(agentId, lanes);
    const lane = new Lane(this.#ports, webhook, conversationId);
    lanes.set(conversationId, lane);
    lane.run(() => {
      lanes.delete(conversationId);
      // One that found no room before, or what came while this one ended.
      this.wakeAll(agentId);
    });
  }

  /** The agent is called from now on, under this secret. The store has it already. */
  switchedOn(webhook: Webhook): void {
    if (this.#webhooks.get(webhook.agent_id)?.secret === webhook.secret) return;
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
    const { storage, log } = this.#ports;
    storage.lanes(agentId).then(
      (lanes) => {
        for (const conversationId of lanes) this.wake(agentId, conversationId);
      },
      (error: unknown) => log({ code: "webhook_lane_failed", fault: faultOf(error) }),
    );
  }

  #stopLanes(agentId: string): void {
    for (const lane of this.#lanes.get(agentId)?.values() ?? []) lane.stop();
    this.#lanes.delete(agentId);
  }
}
