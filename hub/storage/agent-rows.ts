import type { Manifest } from "../../app/contract/manifest.ts";
import type { Agent, NewAgent, Relation, Subject, TokenHolder, Webhook } from "../hub-records.ts";
import type { HubDatabase } from "./open-database.ts";

interface AgentRow extends Omit<Agent, "capability_manifest"> {
  /** JSON. It passed `checkManifest` before it was stored. */
  readonly capability_manifest: string;
}

export function agentRows(db: HubDatabase) {
  const find = db.prepare<[string], AgentRow>(
    `SELECT agent_id, owner_id, name, capability_manifest, capability_manifest_version,
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
  const setToken = db.prepare<[Uint8Array, string]>(
    "UPDATE agents SET token_hash = ? WHERE agent_id = ?",
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
    setToken: (agentId: string, hash: Uint8Array): void => void setToken.run(hash, agentId),
    webhooks: (): readonly Webhook[] => webhooks.all(),
    putWebhook: (webhook: Webhook): void => void putWebhook.run(webhook),
    removeWebhook(agentId: string): void {
      removeWebhook.run(agentId);
      removeEvents.run(agentId);
    },
  };
}

interface RelationRow extends Omit<Relation, "granted_scopes" | "reauth" | "answer"> {
  /** JSON, each. */
  readonly granted_scopes: string;
  readonly reauth: string | null;
  readonly answer: string | null;
}

export function relationRows(db: HubDatabase) {
  const select = <Where extends string[]>(where: string) =>
    db.prepare<Where, RelationRow>(
      `SELECT r.*, iif(w.url IS NULL, 'websocket', 'webhook') AS connection_mode
       FROM h2a_relations r LEFT JOIN webhooks w USING (agent_id) WHERE ${where} ORDER BY r.rowid`,
    );
  const find = select<[string]>("r.relation_id = ?");
  const between = select<[string, string]>("r.agent_id = ? AND r.user_id = ?");
  const of = {
    human: select<[string]>("r.user_id = ?"),
    agent: select<[string]>("r.agent_id = ?"),
  };
  const put = db.prepare<[RelationRow]>(
    `INSERT INTO h2a_relations (relation_id, agent_id, user_id, conversation_id, granted_scopes, status, reauth, answer)
     VALUES (@relation_id, @agent_id, @user_id, @conversation_id, @granted_scopes, @status, @reauth, @answer)
     ON CONFLICT (relation_id) DO UPDATE SET granted_scopes = excluded.granted_scopes,
       status = excluded.status, reauth = excluded.reauth, answer = excluded.answer`,
  );
  return {
    find: (relationId: string) => maybe(find.get(relationId)),
    between: (agentId: string, userId: string) => maybe(between.get(agentId, userId)),
    of: ({ id, type }: Subject): readonly Relation[] => of[type].all(id).map(relationOf),
    put: (relation: Relation): void => void put.run(rowOf(relation)),
  };
}

/** What `put` wrote. */
const relationOf = (row: RelationRow): Relation => ({
  ...row,
  granted_scopes: JSON.parse(row.granted_scopes) as string[],
  reauth: row.reauth === null ? null : (JSON.parse(row.reauth) as Relation["reauth"]),
  answer: row.answer === null ? null : (JSON.parse(row.answer) as Relation["answer"]),
});

const rowOf = (relation: Relation): RelationRow => ({
  ...relation,
  granted_scopes: JSON.stringify(relation.granted_scopes),
  reauth: relation.reauth === null ? null : JSON.stringify(relation.reauth),
  answer: relation.answer === null ? null : JSON.stringify(relation.answer),
});

const maybe = (row: RelationRow | undefined): Relation | undefined =>
  row === undefined ? undefined : relationOf(row);
