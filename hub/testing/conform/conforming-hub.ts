import { readFileSync } from "node:fs";
import { type AddedAgent, HubCaller } from "../hub-caller.ts";
import { openSocket, type TestClient } from "../test-client.ts";

/** Any running hub, as strangers, its owner and their agents use it over the network. */
export class ConformingHub extends HubCaller {
  readonly url: string;
  readonly #ownerTokenFile: string | undefined;
  readonly #open: TestClient[] = [];

  /** @param ownerTokenFile always has a valid token of the owner, who starts with anything or nothing */
  constructor(url: string, ownerTokenFile: string | undefined) {
    super();
    this.url = url.replace(/\/$/, "");
    this.#ownerTokenFile = ownerTokenFile;
  }

  get hasOwner(): boolean {
    return this.#ownerTokenFile !== undefined;
  }

  async personToken(): Promise<string> {
    return readFileSync(this.#ownerTokenFile ?? "", "utf8").trim();
  }

  /** A socket that has not said who it is. */
  async socket(path: string): Promise<TestClient> {
    const { client } = await openSocket(`${this.url.replace(/^http/, "ws")}${path}`);
    this.#open.push(client);
    return client;
  }

  async agent({ agentId, token }: Pick<AddedAgent, "agentId" | "token">): Promise<TestClient> {
    const client = await this.socket(`/ws/agent?agent_id=${agentId}`);
    client.send({ type: "auth", agent_id: agentId, token });
    await client.next("auth.ok");
    return client;
  }

  async human(): Promise<TestClient> {
    const client = await this.socket("/ws/human");
    client.send({ type: "auth", token: await this.personToken() });
    await client.next("auth.ok");
    return client;
  }

  /** An agent of the owner's, and both ends of their conversation. */
  async talk() {
    const added = await this.addAgent();
    const human = await this.human();
    const agent = await this.agent(added);
    return { added, human, agent, id: added.relation.conversation_id };
  }

  /** Removes what a case left, so that the owner's client is not filled. */
  closeAll(): void {
    for (const client of this.#open.splice(0)) client.close();
  }
}
