import { join } from "node:path";
import Database from "better-sqlite3";
import { SignJWT } from "jose";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { RelationView } from "../../../app/protocol/v1/rest.ts";
import { startHub } from "../../../hub/index.ts";
import { testHubOptions } from "../../../hub/testing/hub-options.ts";

interface Registered {
  readonly agent_id: string;
  readonly token: string;
}

/** What others do at the hub without the client: agents with their tokens, the person elsewhere. */
export class HubOutside {
  readonly #url: string;
  readonly #dataDir: string;

  constructor(url: string, dataDir: string) {
    this.#url = url;
    this.#dataDir = dataDir;
  }

  /** @returns the scopes the hub's answer calls breaking */
  async patchManifest(agentId: string, token: string, manifest: Manifest): Promise<string[]> {
    const data = await this.#ask("PATCH", `/agents/${agentId}`, token, manifest);
    const { breaking_changes } = data as { breaking_changes: { scope: string }[] };
    return breaking_changes.map(({ scope }) => scope);
  }

  async relation(agentId: string): Promise<RelationView | undefined> {
    const relations = await this.#ask("GET", "/h2a/relations", await this.#person());
    return (relations as RelationView[]).find((each) => each.agent_id === agentId);
  }

  async revokeRelation(agentId: string): Promise<void> {
    const relation = await this.relation(agentId);
    await this.#ask("DELETE", `/h2a/relations/${relation?.relation_id}`, await this.#person());
  }

  async suspendRelation(agentId: string): Promise<void> {
    await this.#relationIs("suspend", agentId);
  }

  async restoreRelation(agentId: string): Promise<void> {
    await this.#relationIs("restore", agentId);
  }

  async #relationIs(change: "suspend" | "restore", agentId: string): Promise<void> {
    const relation = await this.relation(agentId);
    const path = `/h2a/relations/${relation?.relation_id}/${change}`;
    await this.#ask("POST", path, await this.#person());
  }

  /** An agent that nobody has added yet. */
  async registerAgent(name: string, capability_manifest: Manifest): Promise<Registered> {
    const body = { name, capability_manifest };
    return (await this.#ask("POST", "/agents", await this.#person(), body)) as Registered;
  }

  /** Adds a registered agent. */
  async relate(agent_id: string, granted_scopes: readonly string[]): Promise<RelationView> {
    const body = { agent_id, granted_scopes };
    return (await this.#ask("POST", "/h2a/relations", await this.#person(), body)) as RelationView;
  }

  /** Makes an agent with a relation but without keys. @returns its id */
  async addKeylessAgent(name: string, manifest: Manifest): Promise<string> {
    const { agent_id } = await this.registerAgent(name, manifest);
    await this.relate(agent_id, []);
    return agent_id;
  }

  async newGroup(...agent_ids: readonly string[]): Promise<string> {
    const body = { type: "group", agent_ids };
    const made = await this.#ask("POST", "/conversations", await this.#person(), body);
    return (made as { conversation_id: string }).conversation_id;
  }

  async #ask(method: string, path: string, token: string, body?: unknown): Promise<unknown> {
    const response = await fetch(new URL(path, this.#url), {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data?: unknown };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return answer.data;
  }

  /** The owner of a data folder can make the person's token from what the hub keeps in it. */
  async #person(): Promise<string> {
    const db = new Database(join(this.#dataDir, "hub.db"), { readonly: true });
    const value = (name: string): Buffer => {
      const kept = db
        .prepare<[string], Buffer>("SELECT value FROM settings WHERE name = ?")
        .pluck()
        .get(name);
      if (kept === undefined) throw new Error(`the hub has no ${name}`);
      return kept;
    };
    try {
      return await new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(value("local_user_id").toString())
        .setAudience("consentry-hub")
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(value("access_token_secret"));
    } finally {
      db.close();
    }
  }
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
