import type { Manifest } from "../../app/contract/manifest.ts";
import type { AgentView } from "../../app/protocol/v1/rest.ts";
import type { HubDatabase } from "./open-database.ts";

export interface AgentRow {
  readonly agent_id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly token_hash: Uint8Array;
  readonly manifest: string;
  readonly manifest_version: number;
  readonly manifest_hash: string;
}

interface NewAgent extends AgentRow {
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

export interface AgentStore {
  find(agentId: string): AgentRow | undefined;
  /** Whose token it is, by its SHA-256. */
  withTokenHash(hash: Uint8Array): AgentRow | undefined;
  insert(agent: NewAgent): void;
  setManifest(agentId: string, manifest: string, version: number, hash: string): void;
}

export function agentStore(db: HubDatabase): AgentStore {
  const find = db.prepare<[string], AgentRow>("SELECT * FROM agents WHERE agent_id = ?");
  const withTokenHash = db.prepare<[Uint8Array], AgentRow>(
    "SELECT * FROM agents WHERE token_hash = ?",
  );
  const insert = db.prepare<[NewAgent]>(
    `INSERT INTO agents (agent_id, owner_id, name, token_hash, manifest, manifest_version, manifest_hash, created_at)
     VALUES (@agent_id, @owner_id, @name, @token_hash, @manifest, @manifest_version, @manifest_hash, @created_at)`,
  );
  const setManifest = db.prepare<[string, number, string, string]>(
    "UPDATE agents SET manifest = ?, manifest_version = ?, manifest_hash = ? WHERE agent_id = ?",
  );
  return {
    find: (agentId) => find.get(agentId),
    withTokenHash: (hash) => withTokenHash.get(hash),
    insert: (agent) => void insert.run(agent),
    setManifest: (agentId, manifest, version, hash) =>
      void setManifest.run(manifest, version, hash, agentId),
  };
}

/** The manifest passed `checkManifest` before it was stored. */
export const manifestOf = (row: AgentRow): Manifest => JSON.parse(row.manifest) as Manifest;

export const agentView = (row: AgentRow, isWebhook: boolean): AgentView => ({
  agent_id: row.agent_id,
  name: row.name,
  connection_mode: isWebhook ? "webhook" : "websocket",
  capability_manifest: manifestOf(row),
  capability_manifest_version: row.manifest_version,
  capability_manifest_hash: row.manifest_hash,
});
