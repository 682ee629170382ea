import { expect } from "vitest";
import { type AddedAgent, HubRig, messageTo, type RigOptions } from "./hub-rig.ts";
import type { TestClient } from "./test-client.ts";
import { WebhookEndpoint } from "./webhook-endpoint.ts";

interface Called extends AddedAgent {
  /** What deliveries are signed with. */
  readonly secret: string;
  human: TestClient;
}

/** A hub, an agent that it calls at an endpoint, and the person. */
export class WebhookRig extends HubRig {
  endpoint = new WebhookEndpoint();
  #called: Called | undefined;

  override async start(options?: RigOptions): Promise<this> {
    await super.start(options);
    this.endpoint = await WebhookEndpoint.open();
    const added = await this.addAgent();
    const secret = await this.switchOn(added);
    this.#called = { ...added, secret, human: await this.human() };
    return this;
  }

  override async end(): Promise<void> {
    await super.end();
    await this.endpoint.close();
  }

  get called(): Called {
    if (this.#called === undefined) throw new Error("the hub does not run");
    return this.#called;
  }

  /** Has this agent called at the endpoint. @returns what deliveries are signed with */
  async switchOn(agent: AddedAgent): Promise<string> {
    const body = { connection_mode: "webhook", webhook_url: this.endpoint.url };
    const changed = await this.patch(agent, body);
    expect(changed.status).toBe(200);
    return changed.json.data.webhook_secret;
  }

  /** The person writes to the agent. */
  async say(id: string): Promise<void> {
    const { relation, human } = this.called;
    human.send(messageTo(relation.conversation_id, id));
    await human.next("message.ack");
  }

  /** Resolves when this many attempts have failed, each with the timer of the next one set. */
  async failures(count: number): Promise<void> {
    await expect
      .poll(() => this.log.filter(({ code }) => code === "webhook_waits"), { interval: 5 })
      .toHaveLength(count);
  }
}
