import type { Manifest } from "../../app/contract/manifest.ts";
import type { Agent, NewAgent, TokenHolder, Webhook } from "../hub-records.ts";
import type { HubDatabase } from "./open-database.ts";

interface AgentRow extends Omit<Agent, "capability_manifest"> {
  /** JSON. It passed `checkManifest` before it was stored. */
  readonly capability_manifest: string;
}

export function agentRows(db: HubDatabase) {
  const find = db.prepare<[string], AgentRow>(
    `SELECT agent_id, name, capability_manifest, capability_manifest_version,
       capability_manifest_hash, iif(url IS NULL, 'websocket', 'webhook') AS connection_mode
     FROM agents LEFT JOIN webhooks USING (agent_id) WHERE agent_id = ?`,
  );
  const withToken = db.prepare<
    [Uint8Array],
    { agent_id: string; relations: number; living: number }
  >(
    `SELECT a.agent_id, count(r.agent_id) AS relations, count(nullif(r.status, 'revoked')) AS living
     FROM agents a LEFT JOIN h2a_relations r USING (agent_id) WHERE token_hash = ? GROUP BY a.agent_id`,
  );
  const insert = db.prepare<[Omit<NewAgent, "manifest"> & { manifest: string }]>(
    `INSERT INTO agents (agent_id, owner_id, name, token_hash, capability_manifest,
       capability_manifest_version, capability_manifest_hash, created_at)
     VALUES (@agent_id, @owner_id, @name, @token_hash, @manifest, 1, @manifest_hash, @created_at)`,
  );
  const setManifest = db.prepare<[string, string, string]>(
    `UPDATE agents SET capability_manifest = ?, capability_manifest_hash = ?,
       capability_manifest_version = capability_manifest_version + 1
     WHERE agent_id = ?`,
  );
  const webhooks = db.prepare<[], Webhook>("SELECT * FROM webhooks");
  const putWebhook = db.prepare<[Webhook]>(
    `INSERT INTO webhooks VALUES (@agent_id, @url, @secret)
     ON CONFLICT (agent_id) DO UPDATE SET url = excluded.url, secret = excluded.secret`,
  );
  const removeWebhook = db.prepare<[string]>("DELETE FROM webhooks WHERE agent_id = ?");
  const removeEvents = db.prepare<[string]>("DELETE FROM webhook_events WHERE agent_id = ?");
  return {
    find(agentId: string): Agent | undefined {
      const row = find.get(agentId);
      if (row === undefined) return undefined;
      return { ...row, capability_manifest: JSON.parse(row.capability_manifest) as Manifest };
    },
    withToken(hash: Uint8Array): TokenHolder | undefined {
      const row = withToken.get(hash);
      if (row === undefined) return undefined;
      return { agent_id: row.agent_id, isRemoved: row.relations > 0 && row.living === 0 };
    },
    insert(agent: NewAgent, webhook?: Webhook): void {
      insert.run({ ...agent, manifest: JSON.stringify(agent.manifest) });
      if (webhook !== undefined) putWebhook.run(webhook);
    },
    setManifest: (agentId: string, manifest: Manifest, hash: string): void =>
      void setManifest.run(JSON.stringify(manifest), hash, agentId),
    webhooks: (): readonly Webhook[] => webhooks.all(),
    putWebhook: (webhook: Webhook): void => void putWebhook.run(webhook),
    removeWebhook(agentId: string): void {
      removeWebhook.run(agentId);
      removeEvents.run(agentId);
    },
  };
}
