import { manifestScope } from "../../app/contract/manifest.ts";
import type { RelationFrame } from "../../app/protocol/v1/frames.ts";
import type { RelationUpdate, RelationView } from "../../app/protocol/v1/rest.ts";
import { leaveAllGroups } from "../conversations/groups.ts";
import type { HubParts } from "../hub-parts.ts";
import { CLOSE } from "../lines/close-codes.ts";
import { Refusal } from "../refusal.ts";
import { announcePresence } from "../sessions/announce-presence.ts";
import { type AgentRow, manifestOf } from "../storage/agent-store.ts";
import type { Relation } from "../storage/relation-store.ts";
import { newId } from "../tokens/random-text.ts";
import { noteAnswer, noteRelation } from "../webhooks/note-events.ts";
import { announceAnswer, announceRelation, connectionModeOf } from "./announce-relation.ts";
import { withAnswer } from "./reauth.ts";
import { isRemoved } from "./removed.ts";

/** @throws Refusal SCOPE_UNKNOWN with `params.scopes` when the manifest does not have them all */
export function checkedScopes(agent: AgentRow, scopes: readonly string[]): readonly string[] {
  const manifest = manifestOf(agent);
  const unknown = scopes.filter((scope) => manifestScope(manifest, scope) === undefined);
  if (unknown.length > 0) throw new Refusal("SCOPE_UNKNOWN", { scopes: unknown });
  return [...new Set(scopes)];
}

/**
 * The relation between an agent and the person, with these scopes; a revoked or suspended one comes
 * back under its old id and conversation. Must run inside a transaction.
 */
export function putActiveRelation(
  parts: HubParts,
  agentId: string,
  scopes: readonly string[],
): Relation {
  const present = parts.relations.between(agentId, parts.userId);
  const relation: Relation = {
    relation_id: present?.relation_id ?? newId(parts.random),
    agent_id: agentId,
    user_id: parts.userId,
    conversation_id: present?.conversation_id ?? newId(parts.random),
    granted_scopes: scopes,
    status: "active",
    // Granted anew, from the manifest as it is now.
    reauth: null,
    answer: null,
  };
  if (present === undefined) {
    const id = relation.conversation_id;
    const { userId } = parts;
    parts.conversations.create({
      id,
      type: "h2a",
      ownerId: userId,
      title: null,
      createdBy: userId,
    });
    parts.members.add(id, { member_id: agentId, member_type: "agent" });
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
  const before = parts.relations.between(agentId, parts.userId)?.status;
  const type = CREATED_AS[before ?? "revoked"];
  const relation = parts.atomically(() => {
    const made = putActiveRelation(parts, agentId, granted);
    noteRelation(parts, type, made);
    return made;
  });
  announceRelation(parts, type, relation);
  return relationView(parts, relation);
}

/** What `POST /h2a/relations` says of one that was there already. */
const CREATED_AS = {
  active: "relation.updated",
  suspended: "relation.restored",
  revoked: "relation.established",
} as const satisfies Record<RelationView["status"], RelationFrame["type"]>;

/** @throws Refusal NOT_FOUND (also for a revoked one), FORBIDDEN, SCOPE_UNKNOWN, BAD_REQUEST */
export function updateRelation(
  parts: HubParts,
  relationId: string,
  { granted_scopes, capability_manifest_version: version }: RelationUpdate,
): RelationView {
  const present = livingRelation(parts, relationId);
  const agent = parts.agents.find(present.agent_id);
  if (agent === undefined) throw new Refusal("NOT_FOUND");
  if (version !== undefined && version > agent.manifest_version) {
    throw new Refusal("BAD_REQUEST", { fault: "capability_manifest_version" });
  }
  const updated = { ...present, granted_scopes: checkedScopes(agent, granted_scopes) };
  const relation = version === undefined ? updated : withAnswer(updated, version);
  const isAnswer = relation.answer !== present.answer;
  parts.atomically(() => {
    parts.relations.put(relation);
    noteRelation(parts, "relation.updated", relation);
    if (isAnswer) noteAnswer(parts, relation);
  });
  announceRelation(parts, "relation.updated", relation);
  if (isAnswer) announceAnswer(parts, relation);
  return relationView(parts, relation);
}

/**
 * Nothing goes between the two until it is restored; scopes and what waits stay as they are.
 * Suspending twice is the same as once. @throws Refusal NOT_FOUND (also revoked), FORBIDDEN
 */
export const suspendRelation = (parts: HubParts, relationId: string): RelationView =>
  changeStatus(parts, relationId, "suspended", "relation.suspended");

/** Restoring twice is the same as once. @throws Refusal NOT_FOUND (also revoked), FORBIDDEN */
export const restoreRelation = (parts: HubParts, relationId: string): RelationView =>
  changeStatus(parts, relationId, "active", "relation.restored");

function changeStatus(
  parts: HubParts,
  relationId: string,
  status: "active" | "suspended",
  type: RelationFrame["type"],
): RelationView {
  const present = livingRelation(parts, relationId);
  if (present.status === status) return relationView(parts, present);
  const relation = { ...present, status };
  parts.atomically(() => {
    parts.relations.put(relation);
    noteRelation(parts, type, relation);
  });
  parts.conversations.forgetCached();
  announceRelation(parts, type, relation);
  return relationView(parts, relation);
}

/** Revoking twice is the same as once. @throws Refusal NOT_FOUND, FORBIDDEN */
export function revokeRelation(parts: HubParts, relationId: string): RelationView {
  const present = ownRelation(parts, relationId);
  if (present.status === "revoked") return relationView(parts, present);
  const relation: Relation = {
    ...present,
    granted_scopes: [],
    status: "revoked",
    reauth: null,
    answer: null,
  };
  const tellGroups = parts.atomically(() => {
    parts.relations.put(relation);
    parts.messages.forgetRecipient(relation.agent_id, relation.user_id);
    noteRelation(parts, "relation.revoked", relation);
    return leaveAllGroups(parts, relation.agent_id, relation.user_id);
  });
  parts.conversations.forgetCached();
  announceRelation(parts, "relation.revoked", relation);
  tellGroups();
  announcePresence(parts, relation.agent_id);
  if (isRemoved(parts, relation.agent_id)) {
    parts.connections.closeAll(relation.agent_id, CLOSE.removed);
  }
  return relationView(parts, relation);
}

/** As the person is shown it. */
export function relationView(parts: HubParts, { answer: _, ...relation }: Relation): RelationView {
  return { ...relation, connection_mode: connectionModeOf(parts, relation.agent_id) };
}

function livingRelation(parts: HubParts, relationId: string): Relation {
  const relation = ownRelation(parts, relationId);
  if (relation.status === "revoked") throw new Refusal("NOT_FOUND");
  return relation;
}

function ownRelation(parts: HubParts, relationId: string): Relation {
  const relation = parts.relations.find(relationId);
  if (relation === undefined) throw new Refusal("NOT_FOUND");
  if (relation.user_id !== parts.userId) throw new Refusal("FORBIDDEN");
  return relation;
}
