import { expect } from "vitest";
import { type AddedAgent, HubRig, messageTo } from "./hub-rig.ts";
import type { TestClient } from "./test-client.ts";
import { WebhookEndpoint } from "./webhook-endpoint.ts";

/** A hub, an agent that it calls at an endpoint, and the person. */
export class WebhookRig {
  readonly rig: HubRig;
  readonly endpoint: WebhookEndpoint;
  readonly added: AddedAgent;
  readonly secret: string;
  human: TestClient;

  private constructor(parts: Pick<WebhookRig, "rig" | "endpoint" | "added" | "secret" | "human">) {
    this.rig = parts.rig;
    this.endpoint = parts.endpoint;
    this.added = parts.added;
    this.secret = parts.secret;
    this.human = parts.human;
  }

  static async start(): Promise<WebhookRig> {
    const rig = await HubRig.start();
    const endpoint = await WebhookEndpoint.open();
    const added = await rig.addAgent();
    const secret = await switchOn(rig, added, endpoint.url);
    return new WebhookRig({ rig, endpoint, added, secret, human: await rig.human() });
  }

  async end(): Promise<void> {
    await this.rig.hub.close();
    await this.endpoint.close();
  }

  /** Has this agent called at the endpoint. @returns what deliveries are signed with */
  switchOn(agent: AddedAgent): Promise<string> {
    return switchOn(this.rig, agent, this.endpoint.url);
  }

  /** The person writes to the agent. */
  async say(id: string): Promise<void> {
    this.human.send(messageTo(this.added.relation.conversation_id, id));
    await this.human.next("message.ack");
  }

  /** Resolves when this many attempts have failed, each with the timer of the next one set. */
  async failures(count: number): Promise<void> {
    await expect
      .poll(() => this.rig.log.filter(({ code }) => code === "webhook_waits"), { interval: 5 })
      .toHaveLength(count);
  }
}

async function switchOn(
  rig: HubRig,
  { agentId, token }: AddedAgent,
  webhook_url: string,
): Promise<string> {
  const body = { connection_mode: "webhook", webhook_url };
  const changed = await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  expect(changed.status).toBe(200);
  return changed.json.data.webhook_secret;
}
