import type { Database } from "better-sqlite3";
import { type Static, Type } from "typebox";
import { checkManifest } from "../../app/contract/check-manifest.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import { type JsonValue, jsonOf } from "../../app/contract/json.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import type { NetworkHost } from "../../app/contract/network-host.ts";
import type { AllowedHost, Grant, KnownAgent, Root } from "../../app/grants/grant.ts";
import { storeError } from "../../runtime/sqlite/store-error.ts";
import { Moment, orNull, Table, Text } from "../../runtime/sqlite/table.ts";
import { frozenAgent } from "./known-agent.ts";

const AgentRow = Type.Object({
  agent_id: Text,
  name: Type.String(),
  channel: Text,
  relation_id: orNull(Text),
  conversation_id: orNull(Text),
  manifest: Text,
  manifest_version: Type.Integer(),
  manifest_hash: Text,
  reviewed_manifest: Text,
  reviewed_hash: Text,
  added_at: Moment,
});
const GrantRow = Type.Object({
  agent_id: Text,
  scope: Text,
  state: Type.Enum(["granted", "revoked", "awaiting_reconsent"]),
  changed_at: Moment,
});
const RootRow = Type.Object({
  agent_id: Text,
  root_id: Text,
  path: Text,
  access: Type.Enum(["read", "read_write"]),
  added_at: Moment,
  only_file: Type.Optional(Type.Literal(true)),
  ends_at: Type.Optional(Moment),
  for_task: Type.Optional(Type.Literal(true)),
  link: Type.Optional(Type.Object({ at: Text, to: Text })),
});
const HostRow = Type.Object({
  agent_id: Text,
  host: Text,
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  added_at: Moment,
});

export type ManifestUpdate = Pick<KnownAgent, "manifest" | "manifest_version" | "manifest_hash">;

/** The rows of known agents. Each method but `readAll` runs within a write. */
export class AgentTable {
  readonly #agents;
  readonly #grants;
  readonly #roots;
  readonly #hosts;

  constructor(db: Database) {
    const key = "agent_id";
    this.#agents = new Table(db, { name: "agents", columns: AgentRow, key: [key] });
    this.#grants = new Table(db, { name: "grants", columns: GrantRow, key: [key, "scope"] });
    this.#roots = new Table(db, { name: "roots", columns: RootRow, key: [key, "root_id"] });
    const hostKey = [key, "host", "port"] as const;
    this.#hosts = new Table(db, { name: "allowed_hosts", columns: HostRow, key: hostKey });
  }

  /** @throws StoreError `store_corrupt` with the table's name: unreadable data never counts as missing */
  readAll(): readonly KnownAgent[] {
    const grants = Map.groupBy(this.#grants.all(), ({ agent_id }) => agent_id);
    // Those for a task ended with the program.
    const lasting = "WHERE for_task = 0 ORDER BY added_at, root_id";
    const roots = Map.groupBy(this.#roots.all(lasting), ({ agent_id }) => agent_id);
    const sorted = this.#hosts.all("ORDER BY added_at, host, port");
    const hosts = Map.groupBy(sorted, ({ agent_id }) => agent_id);
    return this.#agents.all("ORDER BY added_at, agent_id").map((row) => {
      const { relation_id, conversation_id, ...about } = row;
      const own = <T extends { agent_id: string }>(rows: ReadonlyMap<string, T[]>) =>
        (rows.get(row.agent_id) ?? []).map(({ agent_id: _, ...each }) => each);
      return frozenAgent({
        ...about,
        relation: relationOf(relation_id, conversation_id),
        manifest: readManifest(row.manifest, row.manifest_hash),
        reviewed_manifest: readManifest(row.reviewed_manifest, row.reviewed_hash),
        grants: new Map(own(grants).map((grant) => [grant.scope, grant])),
        roots: own(roots),
        hosts: own(hosts),
      });
    });
  }

  /** The agent with exactly its grants, roots and hosts. @throws StoreError `store_refused` */
  replace(agent: KnownAgent): void {
    const { agent_id, grants, roots, hosts, relation, ...own } = agent;
    this.drop(agent_id);
    this.#agents.put({
      ...own,
      agent_id,
      relation_id: relation?.relation_id ?? null,
      conversation_id: relation?.conversation_id ?? null,
      manifest: storedManifest(agent.manifest, agent.manifest_hash),
      reviewed_manifest: storedManifest(agent.reviewed_manifest, agent.reviewed_hash),
    });
    for (const grant of grants.values()) this.#grants.put({ ...grant, agent_id });
    for (const root of roots) this.#roots.put({ ...root, agent_id });
    for (const host of hosts) this.#hosts.put({ ...host, agent_id });
  }

  /** @throws StoreError `store_unknown_agent` */
  putManifest(agent_id: string, { manifest, ...update }: ManifestUpdate): void {
    const text = storedManifest(manifest, update.manifest_hash);
    this.#change(agent_id, { ...update, manifest: text });
  }

  /** @throws StoreError `store_unknown_agent` */
  markReviewed(agent_id: string): void {
    const { manifest, manifest_hash } = this.#require(agent_id);
    this.#change(agent_id, { reviewed_manifest: manifest, reviewed_hash: manifest_hash });
  }

  /** @throws StoreError `store_unknown_agent` */
  putGrant(agent_id: string, grant: Grant): void {
    this.#require(agent_id);
    this.#grants.put({ ...grant, agent_id });
  }

  /** @throws StoreError `store_unknown_agent` */
  putRoot(agent_id: string, root: Root): void {
    this.#require(agent_id);
    this.#roots.put({ ...root, agent_id });
  }

  dropRoot(agent_id: string, root_id: string): void {
    this.#roots.delete({ agent_id, root_id });
  }

  /** Roots for a task of the last session. */
  dropTasks(): void {
    this.#roots.delete({ for_task: true });
  }

  /** @throws StoreError `store_unknown_agent` */
  putHost(agent_id: string, host: AllowedHost): void {
    this.#require(agent_id);
    this.#hosts.put({ ...host, agent_id });
  }

  dropHost(agent_id: string, { host, port }: NetworkHost): void {
    this.#hosts.delete({ agent_id, host, port });
  }

  /** Deletes its grants, roots and hosts too. */
  drop(agent_id: string): void {
    this.#agents.delete({ agent_id });
  }

  #change(agent_id: string, changes: Partial<Static<typeof AgentRow>>): void {
    if (!this.#agents.change({ agent_id }, changes)) throw storeError("store_unknown_agent");
  }

  #require(agent_id: string): Static<typeof AgentRow> {
    const [row] = this.#agents.all("WHERE agent_id = ?", agent_id);
    if (row === undefined) throw storeError("store_unknown_agent");
    return row;
  }
}

function relationOf(relation_id: string | null, conversation_id: string | null) {
  if (relation_id === null && conversation_id === null) return null;
  if (relation_id === null || conversation_id === null) return corrupt("agents");
  return { relation_id, conversation_id };
}

/** The hash is checked too, which reveals a manifest that was altered but still parses. */
function readManifest(text: string, hash: string): Manifest {
  return manifestIn(text, hash) ?? corrupt("agents");
}

/** @throws StoreError `store_refused` if it is no manifest, or the hash is not its own */
function storedManifest(manifest: Manifest, hash: string): string {
  // A checked manifest is a JSON value; its type only names some of the properties.
  const text = canonicalJson(manifest as unknown as JsonValue);
  if (manifestIn(text, hash) === null) throw storeError("store_refused", { details: "agents" });
  return text;
}

function manifestIn(text: string, hash: string): Manifest | null {
  // `checkManifest` refuses whatever is no manifest.
  const verdict = checkManifest(jsonOf(text) as JsonValue, text.length);
  return verdict.ok && verdict.hash === hash ? verdict.manifest : null;
}

function corrupt(table: string): never {
  throw storeError("store_corrupt", { details: table });
}
