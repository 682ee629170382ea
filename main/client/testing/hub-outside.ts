import { readFileSync } from "node:fs";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { RelationView } from "../../../app/protocol/v1/rest.ts";
import { runHub } from "../../../hub/alone/run-hub.ts";
import { HubCaller, type RestReply } from "../../../hub/testing/hub-caller.ts";
import { testHubOptions } from "../../../hub/testing/hub-options.ts";

/** What others do at the hub without the client: agents with their tokens, the person's other client. */
export class HubOutside extends HubCaller {
  readonly url: string;
  readonly #ownerToken: () => Promise<string | null>;

  /** @param ownerToken what the person's other client asks the program for; absent: they have none */
  constructor(url: string, ownerToken: () => Promise<string | null> = async () => null) {
    super();
    this.url = url;
    this.#ownerToken = ownerToken;
  }

  protected async personToken(): Promise<string> {
    const token = await this.#ownerToken();
    if (token === null) throw new Error("the person has no other client");
    return token;
  }

  /** @returns the scopes the hub's answer calls breaking */
  async patchManifest(agentId: string, token: string, manifest: Manifest): Promise<string[]> {
    const { json } = await this.patch({ agentId, token }, manifest);
    return json.data.breaking_changes.map(({ scope }: { scope: string }) => scope);
  }

  async relation(agentId: string): Promise<RelationView | undefined> {
    const { json } = await this.asPerson("GET", "/h2a/relations");
    return (json.data as RelationView[]).find((each) => each.agent_id === agentId);
  }

  revokeRelation = (agentId: string) => this.#change("DELETE", agentId);
  suspendRelation = (agentId: string) => this.#change("POST", agentId, "/suspend");
  restoreRelation = (agentId: string) => this.#change("POST", agentId, "/restore");

  async #change(method: string, agentId: string, change = ""): Promise<RestReply> {
    const relation = await this.relation(agentId);
    return this.asPerson(method, `/h2a/relations/${relation?.relation_id}${change}`);
  }
}

interface HubAlone {
  readonly hub: HubOutside;
}

/** Runs a data folder's hub alone, as `npm run hub` does, while the client is not running. */
export async function whileClientIsDown<T>(
  dataDir: string,
  work: (alone: HubAlone) => Promise<T>,
): Promise<T> {
  const ready = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  const said: string[] = [];
  const ended = runHub(["--listen", "127.0.0.1:0", "--data-dir", dataDir], {
    checkSchema: testHubOptions.checkSchema,
    stdout: ready.resolve,
    stderr: (line) => said.push(line),
    stopped: stopped.promise,
  });
  void ended.then((code) => ready.reject(new Error(`the hub ended with ${code}: ${said.at(-1)}`)));
  try {
    const { hub, owner_token_file } = JSON.parse(await ready.promise) as Record<string, string>;
    const ownerToken = readFileSync(owner_token_file ?? "", "utf8").trim();
    return await work({ hub: new HubOutside(hub ?? "", async () => ownerToken) });
  } finally {
    stopped.resolve();
    await ended;
  }
}
