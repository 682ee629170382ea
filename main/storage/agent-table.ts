import type { Database, Statement } from "better-sqlite3";
import { type Static, Type } from "typebox";
import { checkManifest } from "../../app/contract/check-manifest.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import type { NetworkHost } from "../../app/contract/network-host.ts";
import type { AllowedHost, Grant, KnownAgent, Root } from "../../app/grants/grant.ts";
import { frozenAgent } from "./known-agent.ts";
import { StoreError } from "./store-error.ts";

const Text = Type.String({ minLength: 1 });
const Moment = Type.Integer({ minimum: 0 });

const AgentRow = Type.Object({
  agent_id: Text,
  name: Type.String(),
  channel: Text,
  relation_id: Type.Union([Text, Type.Null()]),
  conversation_id: Type.Union([Text, Type.Null()]),
  manifest: Text,
  manifest_version: Type.Integer(),
  manifest_hash: Text,
  reviewed_manifest: Text,
  reviewed_hash: Text,
  added_at: Moment,
});
const Flag = Type.Union([Type.Literal(0), Type.Literal(1)]);
const GrantRow = Type.Object({
  agent_id: Text,
  scope: Text,
  state: Type.Union([
    Type.Literal("granted"),
    Type.Literal("revoked"),
    Type.Literal("awaiting_reconsent"),
  ]),
  changed_at: Moment,
});
const RootRow = Type.Object({
  agent_id: Text,
  root_id: Text,
  path: Text,
  access: Type.Union([Type.Literal("read"), Type.Literal("read_write")]),
  added_at: Moment,
  only_file: Flag,
  ends_at: Type.Union([Moment, Type.Null()]),
  for_task: Flag,
});
const HostRow = Type.Object({
  agent_id: Text,
  host: Text,
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  added_at: Moment,
});
type AgentRow = Static<typeof AgentRow>;
type GrantRow = Static<typeof GrantRow>;
type RootRow = Static<typeof RootRow>;
type HostRow = Static<typeof HostRow>;

const isAgentRow = guardOf(AgentRow);
const isGrantRow = guardOf(GrantRow);
const isRootRow = guardOf(RootRow);
const isHostRow = guardOf(HostRow);

interface StoredAgentRows {
  readonly agents: readonly unknown[];
  readonly grants: readonly unknown[];
  readonly roots: readonly unknown[];
  readonly hosts: readonly unknown[];
}

/**
 * Every agent, or an error that names the table: unreadable data never counts as empty.
 * @throws StoreError `store_corrupt`
 */
function readAgents(rows: StoredAgentRows): readonly KnownAgent[] {
  const grants = rows.grants.map((row) => (isGrantRow(row) ? row : corrupt("grants")));
  const roots = rows.roots.map((row) => (isRootRow(row) ? row : corrupt("roots")));
  const hosts = rows.hosts.map((row) => (isHostRow(row) ? row : corrupt("allowed_hosts")));
  return rows.agents.map((row) => {
    if (!isAgentRow(row)) return corrupt("agents");
    const own = ({ agent_id }: { readonly agent_id: string }) => agent_id === row.agent_id;
    const { relation_id, conversation_id, ...about } = row;
    return frozenAgent({
      ...about,
      relation: relationOf(relation_id, conversation_id),
      manifest: readStoredManifest(row.manifest, row.manifest_hash),
      reviewed_manifest: readStoredManifest(row.reviewed_manifest, row.reviewed_hash),
      grants: new Map(grants.filter(own).map((grant) => [grant.scope, grantOf(grant)])),
      roots: roots.filter(own).map(rootOf),
      hosts: hosts.filter(own).map(hostOf),
    });
  });
}

function relationOf(relation_id: string | null, conversation_id: string | null) {
  if (relation_id === null && conversation_id === null) return null;
  if (relation_id === null || conversation_id === null) return corrupt("agents");
  return { relation_id, conversation_id };
}

const grantOf = ({ scope, state, changed_at }: GrantRow): Grant => ({ scope, state, changed_at });

const rootOf = ({ root_id, path, access, added_at, ...terms }: RootRow): Root => ({
  root_id,
  path,
  access,
  added_at,
  ...(terms.only_file === 1 ? { only_file: true } : {}),
  ...(terms.ends_at === null ? {} : { ends_at: terms.ends_at }),
  ...(terms.for_task === 1 ? { for_task: true } : {}),
});

const hostOf = ({ host, port, added_at }: HostRow): AllowedHost => ({ host, port, added_at });

/** The hash is checked too, which reveals a manifest that was altered but still parses. */
function readStoredManifest(text: string, hash: string): Manifest {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return corrupt("agents");
  }
  const verdict = checkManifest(value, text.length);
  return verdict.ok && verdict.hash === hash ? verdict.manifest : corrupt("agents");
}

/**
 * The row of an agent, after checking that it can be read back.
 * @throws StoreError `store_refused` if it is no manifest, or the hash is not its own
 */
function agentRowOf(agent: KnownAgent): AgentRow {
  const { grants, roots, hosts, relation, ...own } = agent;
  const row = {
    ...own,
    relation_id: relation?.relation_id ?? null,
    conversation_id: relation?.conversation_id ?? null,
    manifest: storedManifest(agent.manifest, agent.manifest_hash),
    reviewed_manifest: storedManifest(agent.reviewed_manifest, agent.reviewed_hash),
  };
  const rows = {
    agents: [row],
    grants: [...grants.values()].map((grant) => grantRowOf(agent.agent_id, grant)),
    roots: roots.map((root) => rootRowOf(agent.agent_id, root)),
    hosts: hosts.map((host) => hostRowOf(agent.agent_id, host)),
  };
  refuseUnreadable(() => readAgents(rows));
  return row;
}

const grantRowOf = (agentId: string, grant: Grant): GrantRow => ({
  agent_id: agentId,
  ...grantOf({ agent_id: agentId, ...grant }),
});

const rootRowOf = (agentId: string, root: Root): RootRow => ({
  agent_id: agentId,
  root_id: root.root_id,
  path: root.path,
  access: root.access,
  added_at: root.added_at,
  only_file: root.only_file === true ? 1 : 0,
  ends_at: root.ends_at ?? null,
  for_task: root.for_task === true ? 1 : 0,
});

const hostRowOf = (agentId: string, host: AllowedHost): HostRow => ({
  agent_id: agentId,
  ...hostOf({ agent_id: agentId, ...host }),
});

/**
 * A manifest's text, after checking that it can be read back.
 * @throws StoreError `store_refused` if it is no manifest, or the hash is not its own
 */
function storedManifest(manifest: Manifest, hash: string): string {
  // A checked manifest is a JSON value; its type only names some of the properties.
  const text = canonicalJson(manifest as unknown as JsonValue);
  refuseUnreadable(() => readStoredManifest(text, hash));
  return text;
}

function refuseUnreadable(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new StoreError("store_refused", "agents", { cause: error });
  }
}

function corrupt(table: string): never {
  throw new StoreError("store_corrupt", table);
}

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
