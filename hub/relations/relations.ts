import { manifestScope } from "../../app/contract/manifest.ts";
import type { RelationFrame } from "../../app/protocol/v1/frames.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import { type AgentRow, manifestOf } from "../storage/agent-store.ts";
import { newId } from "../tokens/random-text.ts";

export function relationFrame(type: RelationFrame["type"], relation: RelationView): RelationFrame {
  const { relation_id, agent_id, user_id, conversation_id } = relation;
  const granted_scopes = [...relation.granted_scopes];
  return {
    type,
    payload: { relation_id, agent_id, user_id, conversation_id, granted_scopes },
  };
}

/** Tells the agent and the person. The agent learns its current relation again at every connect. */
export function announceRelation(
  parts: HubParts,
  type: RelationFrame["type"],
  relation: RelationView,
): void {
  const frame = relationFrame(type, relation);
  parts.connections.send(relation.agent_id, frame);
  parts.connections.send(relation.user_id, frame);
  if (type !== "relation.established") return;
  const { agent_id } = relation;
  if (!parts.connections.isOnline(agent_id)) return;
  parts.connections.send(relation.user_id, { type: "agent.presence", agent_id, online: true });
}

/** @throws Refusal SCOPE_UNKNOWN with `params.scopes` when the manifest does not have them all */
export function checkedScopes(agent: AgentRow, scopes: readonly string[]): readonly string[] {
  const manifest = manifestOf(agent);
  const unknown = scopes.filter((scope) => manifestScope(manifest, scope) === undefined);
  if (unknown.length > 0) throw new Refusal("SCOPE_UNKNOWN", { scopes: unknown });
  return [...new Set(scopes)];
}

/**
 * The relation between an agent and the person, with these scopes; a revoked one comes back under
 * its old id and conversation. Must run inside a transaction.
 */
export function putActiveRelation(
  parts: HubParts,
  agentId: string,
  scopes: readonly string[],
): RelationView {
  const present = parts.relations.between(agentId, parts.userId);
  const relation: RelationView = {
    relation_id: present?.relation_id ?? newId(parts.random),
    agent_id: agentId,
    user_id: parts.userId,
    conversation_id: present?.conversation_id ?? newId(parts.random),
    granted_scopes: scopes,
    status: "active",
  };
  if (present === undefined) {
    parts.conversations.create(
      { id: relation.conversation_id, type: "h2a", ownerId: parts.userId },
      [agentId],
    );
  }
  parts.relations.put(relation);
  parts.conversations.forgetCached();
  return relation;
}

/** @throws Refusal NOT_FOUND, SCOPE_UNKNOWN */
export function createRelation(
  parts: HubParts,
  agentId: string,
  scopes: readonly string[],
): RelationView {
  const agent = parts.agents.find(agentId);
  if (agent === undefined) throw new Refusal("NOT_FOUND");
  const granted = checkedScopes(agent, scopes);
  const wasActive = parts.relations.between(agentId, parts.userId)?.status === "active";
  const relation = parts.atomically(() => putActiveRelation(parts, agentId, granted));
  announceRelation(parts, wasActive ? "relation.updated" : "relation.established", relation);
  return relation;
}

/** @throws Refusal NOT_FOUND (also for a revoked one), FORBIDDEN, SCOPE_UNKNOWN */
export function updateRelation(
  parts: HubParts,
  relationId: string,
  scopes: readonly string[],
): RelationView {
  const present = ownRelation(parts, relationId);
  const agent = parts.agents.find(present.agent_id);
  if (agent === undefined || present.status === "revoked") throw new Refusal("NOT_FOUND");
  const relation = { ...present, granted_scopes: checkedScopes(agent, scopes) };
  parts.atomically(() => parts.relations.put(relation));
  announceRelation(parts, "relation.updated", relation);
  return relation;
}

/** Revoking twice is the same as once. @throws Refusal NOT_FOUND, FORBIDDEN */
export function revokeRelation(parts: HubParts, relationId: string): RelationView {
  const present = ownRelation(parts, relationId);
  if (present.status === "revoked") return present;
  const relation: RelationView = { ...present, granted_scopes: [], status: "revoked" };
  parts.atomically(() => {
    parts.relations.put(relation);
    parts.messages.forgetRecipient(relation.agent_id, relation.user_id);
  });
  parts.conversations.forgetCached();
  announceRelation(parts, "relation.revoked", relation);
  return relation;
}

function ownRelation(parts: HubParts, relationId: string): RelationView {
  const relation = parts.relations.find(relationId);
  if (relation === undefined) throw new Refusal("NOT_FOUND");
  if (relation.user_id !== parts.userId) throw new Refusal("FORBIDDEN");
  return relation;
}
