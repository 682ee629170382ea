import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import type {
  Agent,
  Conversation,
  NewEvent,
  NewNotice,
  Relation,
  RelationChange,
  Webhook,
} from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { isTakenIn } from "./accounts.ts";
import {
  addAgentIn,
  agentIn,
  lockedRelation,
  putRelationIn,
  putWebhookIn,
  relationIn,
  relationsIn,
} from "./agents.ts";
import { createConversation, forgetIn, leaveGroups, lockConversations } from "./conversations.ts";
import type { HubPool, Statements } from "./database.ts";
import { keysIn, putKeys } from "./keys.ts";

const EVENTS_AT_MOST = 1_000;

export const numbered = (id: number, notice: NewNotice): ReauthRequiredFrame => ({
  type: "h2a.reauth_required",
  payload: { notice_id: String(id), ...notice },
});

type AgentOperations = Pick<
  HubStorage,
  | "agent"
  | "agentWithToken"
  | "addAgent"
  | "isTaken"
  | "arrive"
  | "replaceManifest"
  | "webhooks"
  | "webhook"
  | "setWebhook"
  | "removeWebhook"
  | "relation"
  | "relationsOf"
  | "changeRelation"
>;

export function agentOperations(pool: HubPool): AgentOperations {
  return {
    agent: (agentId) => agentIn(pool, agentId),
    async agentWithToken(hash) {
      const row = await pool.one<{ agent_id: string; relations: number; living: number }>(
        `SELECT a.agent_id, count(r.agent_id) AS relations, count(nullif(r.status, 'revoked')) AS living
         FROM agents a LEFT JOIN h2a_relations r USING (agent_id) WHERE token_hash = $1
         GROUP BY a.agent_id`,
        hash,
      );
      if (row === undefined) return undefined;
      return { agent_id: row.agent_id, isRemoved: row.relations > 0 && row.living === 0 };
    },
    addAgent: (agent, webhook) =>
      pool.transaction(async (tx) => {
        await addAgentIn(tx, agent);
        if (webhook !== undefined) await putWebhookIn(tx, webhook);
      }),
    isTaken: (id) => isTakenIn(pool, id),
    arrive: (agent, card, relation, lastSeq, isOwn) =>
      pool.transaction(async (tx) => {
        const { agent_id, user_id, relation_id, conversation_id } = relation;
        await tx.all("SELECT 1 FROM agents WHERE agent_id = $1 FOR NO KEY UPDATE", agent_id);
        const there = await agentIn(tx, agent_id);
        const present = await lockedRelation(tx, { agent_id, user_id });
        const published = await keysIn(tx, agent_id);
        const taken = await tx.one(
          `SELECT 1 FROM h2a_relations WHERE relation_id = $1
           UNION ALL SELECT 1 FROM conversations WHERE conversation_id = $2`,
          relation_id,
          conversation_id,
        );
        if (!isOwn(there, present, (published ?? taken) !== undefined)) return undefined;
        const isFresh = published?.signed_prekey == null;
        if (there === undefined) {
          await addAgentIn(tx, agent);
          await putKeys(tx, card);
          await addRelation(tx, relation);
        } else if (isFresh) {
          const renew = "UPDATE agents SET token_hash = $2 WHERE agent_id = $1";
          await tx.all(renew, agent_id, agent.token_hash);
        }
        await putRelationIn(tx, { ...relation, ...present, status: "active" });
        await tx.all(
          "UPDATE conversations SET last_seq = greatest(last_seq, $2) WHERE conversation_id = $1",
          conversation_id,
          lastSeq,
        );
        return isFresh;
      }),
    replaceManifest: (agentId, { manifest, manifest_hash }, decide) =>
      pool.transaction(async (tx) => {
        await tx.all("SELECT 1 FROM agents WHERE agent_id = $1 FOR NO KEY UPDATE", agentId);
        const agent = await agentIn(tx, agentId);
        if (agent === undefined) return undefined;
        const change = decide(agent, await relationsIn(tx, { id: agentId, type: "agent" }));
        await tx.all(
          `UPDATE agents SET capability_manifest = $2, capability_manifest_hash = $3,
             capability_manifest_version = capability_manifest_version + 1 WHERE agent_id = $1`,
          agentId,
          { json: manifest },
          manifest_hash,
        );
        const notices = new Map<string, ReauthRequiredFrame>();
        for (const each of change.relations) {
          await putRelation(tx, each);
          const { user_id } = each.relation;
          const row = await tx.one<{ notice_id: number }>(
            "INSERT INTO notices (user_id, payload) VALUES ($1, $2) RETURNING notice_id",
            user_id,
            { json: each.notice },
          );
          notices.set(user_id, numbered(row?.notice_id ?? 0, each.notice));
        }
        const groupsLeft = change.leavesGroups ? await leaveGroups(tx, agentId, null) : [];
        return { ...change, notices, groupsLeft };
      }),
    webhooks: () => pool.all<Webhook>("SELECT agent_id, url, secret FROM webhooks"),
    webhook: (agentId) =>
      pool.one<Webhook>("SELECT agent_id, url, secret FROM webhooks WHERE agent_id = $1", agentId),
    setWebhook: (webhook) => putWebhookIn(pool, webhook),
    removeWebhook: (agentId) =>
      pool.transaction(async (tx) => {
        await tx.all("DELETE FROM webhooks WHERE agent_id = $1", agentId);
        await tx.all("DELETE FROM webhook_events WHERE agent_id = $1", agentId);
      }),
    relation: (relationId) => relationIn(pool, relationId),
    relationsOf: (subject) => relationsIn(pool, subject),
    changeRelation: (which, decide) =>
      pool.transaction(async (tx) => {
        const present = await lockedRelation(tx, which);
        if (present !== undefined) await lockConversations(tx, [present.conversation_id]);
        const agentId = "agent_id" in which ? which.agent_id : present?.agent_id;
        const agent: Agent | undefined =
          agentId === undefined ? undefined : await agentIn(tx, agentId);
        const change = decide(agent, present);
        const { relation } = change;
        if (present === undefined) await addRelation(tx, relation);
        await putRelation(tx, change);
        const isOver = relation.status === "revoked" && present?.status !== "revoked";
        return { ...change, groupsLeft: isOver ? await leaveAll(tx, relation) : [] };
      }),
  };
}

async function leaveAll(tx: Statements, relation: Relation): Promise<readonly Conversation[]> {
  const { agent_id, user_id, conversation_id } = relation;
  await forgetIn(tx, agent_id, conversation_id);
  return leaveGroups(tx, agent_id, user_id);
}

export const addRelation = (tx: Statements, relation: Relation): Promise<void> => {
  const { conversation_id, agent_id, user_id: ownerId } = relation;
  const talk = { conversation_id, type: "h2a", ownerId, title: null } as const;
  return createConversation(tx, talk, ownerId, [{ member_id: agent_id, member_type: "agent" }]);
};

async function putRelation(tx: Statements, { relation, events }: RelationChange): Promise<void> {
  await putRelationIn(tx, relation);
  for (const event of events) await noteEvent(tx, relation, event);
  if (events.length === 0) return;
  await tx.all(
    `DELETE FROM webhook_events WHERE agent_id = $1 AND event_row NOT IN (SELECT event_row
       FROM webhook_events WHERE agent_id = $1 ORDER BY event_row DESC LIMIT $2)`,
    relation.agent_id,
    EVENTS_AT_MOST,
  );
}

/** Behind the deliveries there are, if the hub calls the agent. */
async function noteEvent(tx: Statements, relation: Relation, event: NewEvent): Promise<void> {
  await tx.all(
    `INSERT INTO webhook_events
       (agent_id, conversation_id, after_delivery, event_id, type, sender_id, payload, created_at)
     SELECT $1, $2, coalesce((SELECT last_delivery FROM recipients WHERE recipient_id = $1), 0),
       $3, $4, $5, $6, $7 FROM webhooks WHERE agent_id = $1`,
    relation.agent_id,
    relation.conversation_id,
    event.event_id,
    event.type,
    relation.user_id,
    event.payload,
    event.created_at,
  );
}
