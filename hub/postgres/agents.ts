import type { Agent, NewAgent, Relation, Subject, Webhook } from "../hub-records.ts";
import type { Statements } from "./database.ts";

const AGENT = `SELECT agent_id, owner_id, name, capability_manifest, capability_manifest_version,
  capability_manifest_hash, CASE WHEN url IS NULL THEN 'websocket' ELSE 'webhook' END AS connection_mode
  FROM agents LEFT JOIN webhooks USING (agent_id)`;

export const agentIn = (db: Statements, agentId: string) =>
  db.one<Agent>(`${AGENT} WHERE agent_id = $1`, agentId);

export const agentsIn = (db: Statements, ids: readonly string[]) =>
  db.all<Agent>(`${AGENT} WHERE agent_id = ANY ($1)`, ids);

export async function addAgentIn(db: Statements, agent: NewAgent): Promise<void> {
  await db.all(
    `INSERT INTO agents (agent_id, owner_id, name, token_hash, capability_manifest,
       capability_manifest_version, capability_manifest_hash, created_at)
     VALUES ($1, $2, $3, $4, $5, 1, $6, $7)`,
    agent.agent_id,
    agent.owner_id,
    agent.name,
    agent.token_hash,
    { json: agent.manifest },
    agent.manifest_hash,
    agent.created_at,
  );
}

export async function putWebhookIn(
  db: Statements,
  { agent_id, url, secret }: Webhook,
): Promise<void> {
  await db.all(
    `INSERT INTO webhooks (agent_id, url, secret) VALUES ($1, $2, $3)
     ON CONFLICT (agent_id) DO UPDATE SET url = excluded.url, secret = excluded.secret`,
    agent_id,
    url,
    secret,
  );
}

const RELATION = `SELECT relation_id, r.agent_id, user_id, conversation_id, granted_scopes, status,
  CASE WHEN w.url IS NULL THEN 'websocket' ELSE 'webhook' END AS connection_mode, reauth, answer
  FROM h2a_relations r LEFT JOIN webhooks w ON w.agent_id = r.agent_id`;

export const relationIn = (db: Statements, relationId: string) =>
  db.one<Relation>(`${RELATION} WHERE relation_id = $1`, relationId);

/** @returns the relation, locked until the transaction ends */
export const lockedRelation = (
  db: Statements,
  which: { readonly relation_id: string } | Pick<Relation, "agent_id" | "user_id">,
) =>
  "relation_id" in which
    ? db.one<Relation>(
        `${RELATION} WHERE relation_id = $1 FOR NO KEY UPDATE OF r`,
        which.relation_id,
      )
    : db.one<Relation>(
        `${RELATION} WHERE r.agent_id = $1 AND user_id = $2 FOR NO KEY UPDATE OF r`,
        which.agent_id,
        which.user_id,
      );

export const relationsIn = (db: Statements, { id, type }: Subject) =>
  db.all<Relation>(
    `${RELATION} WHERE ${type === "agent" ? "r.agent_id" : "user_id"} = $1 ORDER BY ordinal`,
    id,
  );

export async function putRelationIn(db: Statements, relation: Relation): Promise<void> {
  await db.all(
    `INSERT INTO h2a_relations
       (relation_id, agent_id, user_id, conversation_id, granted_scopes, status, reauth, answer)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (relation_id) DO UPDATE SET granted_scopes = excluded.granted_scopes,
       status = excluded.status, reauth = excluded.reauth, answer = excluded.answer`,
    relation.relation_id,
    relation.agent_id,
    relation.user_id,
    relation.conversation_id,
    { json: relation.granted_scopes },
    relation.status,
    { json: relation.reauth },
    { json: relation.answer },
  );
}
