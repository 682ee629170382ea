import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import type { HubOptions, HubServer } from "../hub-options.ts";
import { startHub } from "../start-hub.ts";
import { type AddedAgent, HubCaller } from "./hub-caller.ts";
import { testHubOptions } from "./hub-options.ts";
import { openSocket, TestClient } from "./test-client.ts";

export type { AddedAgent, RestReply } from "./hub-caller.ts";
export { sampleManifest } from "./sample-manifest.ts";
export { messageTo } from "./test-client.ts";

export interface RigOptions extends Partial<HubOptions> {
  /** Its database is a file, which outlives a restart. */
  readonly onDisk?: boolean;
  readonly time?: ManualTime;
  readonly open?: Parameters<typeof startHub>[1];
}

/** A hub on a free port under manual time, and short ways to talk to it. */
export class HubRig extends HubCaller {
  readonly log: { code: string }[] = [];
  #time = new ManualTime();
  #options: RigOptions = {};
  #folder = "";
  #hub: HubServer | undefined;
  #person = "";

  static start(options?: RigOptions): Promise<HubRig> {
    return new HubRig().start(options);
  }

  async start({ onDisk = false, time = new ManualTime(), open, ...options }: RigOptions = {}) {
    if (onDisk && this.#folder === "") this.#folder = mkdtempSync(join(tmpdir(), "hub-"));
    this.#options = { onDisk, ...options };
    this.#time = time;
    this.#hub = await startHub(
      {
        ...testHubOptions,
        ...(onDisk ? { databasePath: this.file } : {}),
        clock: time,
        monotonic: time,
        scheduler: time,
        log: (event) => this.log.push(event),
        ...options,
      },
      open,
    );
    this.#person = await this.hub.issueAccessToken();
    return this;
  }

  /** Another hub in the place of this one; with the same options, but for what is said otherwise. */
  async restart(options: RigOptions = {}): Promise<void> {
    await this.hub.close();
    await this.start({ ...this.#options, ...options });
  }

  async end(): Promise<void> {
    await this.#hub?.close();
    if (this.#folder !== "") rmSync(this.#folder, { recursive: true });
    this.#folder = "";
    this.log.length = 0;
  }

  get hub(): HubServer {
    if (this.#hub === undefined) throw new Error("the hub does not run");
    return this.#hub;
  }

  get time(): ManualTime {
    return this.#time;
  }

  /** Where its database is, on disk. */
  get file(): string {
    return join(this.#folder, "hub.db");
  }

  get url(): string {
    return this.hub.url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get person(): string {
    return this.#person;
  }

  protected personToken(): Promise<string> {
    return this.hub.issueAccessToken();
  }

  /** An agent, and both ends of its conversation with the person. */
  async talk() {
    const added = await this.addAgent();
    const human = await this.human();
    const agent = await this.agent(added);
    return { added, human, agent, conversation_id: added.relation.conversation_id };
  }

  /** The person's client in this process, authenticated. */
  async human(): Promise<TestClient> {
    const client = new TestClient(this.hub.connectHuman());
    client.send({ type: "auth", token: await this.hub.issueAccessToken() });
    await client.next("auth.ok");
    return client;
  }

  /** An agent's WebSocket, authenticated. */
  async agent({ agentId, token }: Pick<AddedAgent, "agentId" | "token">): Promise<TestClient> {
    const { client } = await openSocket(this.wsUrl(`/ws/agent?agent_id=${agentId}`));
    client.send({ type: "auth", agent_id: agentId, token });
    await client.next("auth.ok");
    return client;
  }

  /** An agent's WebSocket that has not said who it is. */
  async openAgentSocket(agentId: string): Promise<{ client: TestClient }> {
    return openSocket(this.wsUrl(`/ws/agent?agent_id=${agentId}`));
  }

  wsUrl(path: string): string {
    return `ws://127.0.0.1:${this.port}${path}`;
  }
}
