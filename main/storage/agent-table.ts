import type { Database, Statement } from "better-sqlite3";
import type { NetworkHost } from "../../app/contract/network-host.ts";
import type { AllowedHost, Grant, KnownAgent, Root } from "../../app/grants/grant.ts";
import {
  agentRowOf,
  grantRowOf,
  hostRowOf,
  readAgents,
  rootRowOf,
  storedManifest,
} from "./agent-rows.ts";
import { StoreError } from "./store-error.ts";

export type ManifestUpdate = Pick<KnownAgent, "manifest" | "manifest_version" | "manifest_hash">;

/** The statements of `agents`, `grants`, `roots` and `allowed_hosts`. Each method runs within a write. */
export class AgentTable {
  readonly #db: Database;
  readonly #known: Statement<[string], number>;
  readonly #putAgent: Statement<[object]>;
  readonly #putManifest: Statement<[string, number, string, string]>;
  readonly #markReviewed: Statement<[string]>;
  readonly #putGrant: Statement<[object]>;
  readonly #putRoot: Statement<[object]>;
  readonly #dropRoot: Statement<[string, string]>;
  readonly #putHost: Statement<[object]>;
  readonly #dropHost: Statement<[string, string, number]>;
  readonly #dropAgent: Statement<[string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#putAgent = db.prepare(upsertSql("agents", ["agent_id"], AGENT_COLUMNS));
    this.#known = db.prepare<[string], number>("SELECT 1 FROM agents WHERE agent_id = ?").pluck();
    this.#putManifest = db.prepare(
      "UPDATE agents SET manifest = ?, manifest_version = ?, manifest_hash = ? WHERE agent_id = ?",
    );
    this.#markReviewed = db.prepare(
      "UPDATE agents SET reviewed_manifest = manifest, reviewed_hash = manifest_hash WHERE agent_id = ?",
    );
    this.#putGrant = db.prepare(
      upsertSql("grants", ["agent_id", "scope"], ["state", "changed_at"]),
    );
    this.#putRoot = db.prepare(upsertSql("roots", ["agent_id", "root_id"], ROOT_COLUMNS));
    this.#dropRoot = db.prepare("DELETE FROM roots WHERE agent_id = ? AND root_id = ?");
    this.#putHost = db.prepare(
      upsertSql("allowed_hosts", ["agent_id", "host", "port"], ["added_at"]),
    );
    this.#dropHost = db.prepare(
      "DELETE FROM allowed_hosts WHERE agent_id = ? AND host = ? AND port = ?",
    );
    this.#dropAgent = db.prepare("DELETE FROM agents WHERE agent_id = ?");
  }

  /** @throws StoreError `store_corrupt` with the table's name */
  readAll(): readonly KnownAgent[] {
    return readAgents({
      agents: this.#db.prepare("SELECT * FROM agents ORDER BY added_at, agent_id").all(),
      grants: this.#db.prepare("SELECT * FROM grants").all(),
      // Those for a task ended with the program.
      roots: this.#db
        .prepare("SELECT * FROM roots WHERE for_task = 0 ORDER BY added_at, root_id")
        .all(),
      hosts: this.#db.prepare("SELECT * FROM allowed_hosts ORDER BY added_at, host, port").all(),
    });
  }

  /** @throws StoreError `store_unknown_agent` */
  require(agentId: string): void {
    if (this.#known.get(agentId) === undefined) throw new StoreError("store_unknown_agent");
  }

  /** @throws StoreError `store_unknown_agent` */
  putManifest(
    agentId: string,
    { manifest, manifest_version, manifest_hash }: ManifestUpdate,
  ): void {
    const text = storedManifest(manifest, manifest_hash);
    this.require(agentId);
    this.#putManifest.run(text, manifest_version, manifest_hash, agentId);
  }

  /** @throws StoreError `store_unknown_agent` */
  markReviewed(agentId: string): void {
    this.require(agentId);
    this.#markReviewed.run(agentId);
  }

  /** The agent with exactly its grants, roots and hosts. @throws StoreError `store_refused` */
  replace(agent: KnownAgent): void {
    this.drop(agent.agent_id);
    this.#putAgent.run(agentRowOf(agent));
    for (const grant of agent.grants.values()) this.putGrant(agent.agent_id, grant);
    for (const root of agent.roots) this.putRoot(agent.agent_id, root);
    for (const host of agent.hosts) this.putHost(agent.agent_id, host);
  }

  /** @throws StoreError `store_unknown_agent` */
  putGrant(agentId: string, grant: Grant): void {
    this.require(agentId);
    this.#putGrant.run(grantRowOf(agentId, grant));
  }

  /** @throws StoreError `store_unknown_agent` */
  putRoot(agentId: string, root: Root): void {
    this.require(agentId);
    this.#putRoot.run(rootRowOf(agentId, root));
  }

  dropRoot(agentId: string, rootId: string): void {
    this.#dropRoot.run(agentId, rootId);
  }

  dropTasks(): void {
    this.#db.prepare("DELETE FROM roots WHERE for_task = 1").run();
  }

  /** @throws StoreError `store_unknown_agent` */
  putHost(agentId: string, host: AllowedHost): void {
    this.require(agentId);
    this.#putHost.run(hostRowOf(agentId, host));
  }

  dropHost(agentId: string, { host, port }: NetworkHost): void {
    this.#dropHost.run(agentId, host, port);
  }

  /** Deletes its grants, roots and hosts too. */
  drop(agentId: string): void {
    this.#dropAgent.run(agentId);
  }
}

const ROOT_COLUMNS = ["path", "access", "added_at", "only_file", "ends_at", "for_task"];

const AGENT_COLUMNS = [
  "name",
  "channel",
  "relation_id",
  "conversation_id",
  "manifest",
  "manifest_version",
  "manifest_hash",
  "reviewed_manifest",
  "reviewed_hash",
  "added_at",
];

function upsertSql(table: string, keys: readonly string[], others: readonly string[]): string {
  const columns = [...keys, ...others];
  return `INSERT INTO ${table} (${columns.join(", ")})
    VALUES (${columns.map((column) => `@${column}`).join(", ")})
    ON CONFLICT (${keys.join(", ")}) DO UPDATE SET
    ${others.map((column) => `${column} = excluded.${column}`).join(", ")}`;
}
