import { join } from "node:path";
import Database from "better-sqlite3";
import { SignJWT } from "jose";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { RelationView } from "../../../app/protocol/v1/rest.ts";
import { startHub } from "../../../hub/index.ts";
import { HubCaller, type RestReply } from "../../../hub/testing/hub-caller.ts";
import { testHubOptions } from "../../../hub/testing/hub-options.ts";

/** What others do at the hub without the client: agents with their tokens, the person elsewhere. */
export class HubOutside extends HubCaller {
  readonly url: string;
  readonly #dataDir: string;

  constructor(url: string, dataDir: string) {
    super();
    this.url = url;
    this.#dataDir = dataDir;
  }

  protected personToken(): Promise<string> {
    return tokenIn(this.#dataDir);
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

/** What the owner of a data folder can do there: make the hub's access token for its person. */
async function tokenIn(dataDir: string): Promise<string> {
  const db = new Database(join(dataDir, "hub.db"), { readonly: true });
  const value = (name: string) => {
    const row = db
      .prepare<[string], { value: Buffer }>("SELECT value FROM settings WHERE name = ?")
      .get(name);
    if (row === undefined) throw new Error(`the hub has no ${name}`);
    return row.value;
  };
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(value("local_user_id").toString())
    .setAudience("consentry-hub")
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(value("access_token_secret"));
  db.close();
  return token;
}

/** Runs a data folder's hub alone, while the client is not running. */
export async function whileClientIsDown(
  dataDir: string,
  work: (hub: HubOutside) => Promise<unknown>,
): Promise<void> {
  const hub = await startHub({ ...testHubOptions, databasePath: join(dataDir, "hub.db") });
  try {
    await work(new HubOutside(hub.url, dataDir));
  } finally {
    await hub.close();
  }
}
