import { assertNever } from "../../app/contract/assert-never.ts";
import type {
  CapabilityChangedFrame,
  RelationFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import { conversationStanding } from "../conversations/announce-group.ts";
import type { HubParts } from "../hub-parts.ts";
import type { Relation } from "../storage/relation-store.ts";

/** Tells the agent and the person, if they are there; the others learn it when they connect. */
export function announceRelation(
  parts: HubParts,
  type: RelationFrame["type"],
  relation: Relation,
): void {
  const frame = relationFrame(parts, type, relation);
  parts.connections.send(relation.agent_id, frame);
  parts.connections.send(relation.user_id, frame);
  parts.webhooks.wake(relation.agent_id, relation.conversation_id);
  if (type !== "relation.established" && type !== "relation.restored") return;
  const { agent_id } = relation;
  if (type === "relation.restored") resume(parts, agent_id);
  if (!parts.connections.isOnline(agent_id)) return;
  parts.connections.send(relation.user_id, { type: "agent.presence", agent_id, online: true });
}

/** What a suspended agent was not told, and what waited for it. */
function resume(parts: HubParts, agentId: string): void {
  for (const frame of conversationStanding(parts, agentId)) parts.connections.send(agentId, frame);
  parts.connections.lookAgain(agentId);
  parts.webhooks.wakeAll(agentId);
}

/** To the person alone: the agent is reached another way, of which it knows itself. */
export function announceConnectionMode(parts: HubParts, agentId: string): void {
  for (const relation of parts.relations.ofAgent(agentId)) {
    if (relation.status === "revoked") continue;
    parts.connections.send(relation.user_id, relationFrame(parts, "relation.updated", relation));
  }
}

/** The person's answer, as only the agent is told it. */
export function announceAnswer(parts: HubParts, relation: Relation): void {
  const frame = capabilityChangedFrame(relation);
  if (frame !== undefined) parts.connections.send(relation.agent_id, frame);
}

/**
 * How a relation stands, for who connects now: what changed in between is in it, so that nothing
 * that was said to nobody is lost. The agent hears the person's last answer besides.
 */
export function relationStanding(
  parts: HubParts,
  relation: Relation,
  hearer: "agent" | "human",
): ServerFrame[] {
  const standing = relationFrame(parts, standingType(relation.status), relation);
  const answer = hearer === "agent" ? capabilityChangedFrame(relation) : undefined;
  return answer === undefined ? [standing] : [standing, answer];
}

function standingType(status: RelationView["status"]): RelationFrame["type"] {
  switch (status) {
    case "active":
      return "relation.established";
    case "suspended":
      return "relation.suspended";
    case "revoked":
      return "relation.revoked";
    default:
      return assertNever(status);
  }
}

function relationFrame(
  parts: HubParts,
  type: RelationFrame["type"],
  relation: Relation,
): RelationFrame {
  const { relation_id, agent_id, user_id, conversation_id, status } = relation;
  const granted_scopes = [...relation.granted_scopes];
  const connection_mode = connectionModeOf(parts, agent_id);
  const ids = { relation_id, agent_id, user_id, conversation_id };
  return { type, payload: { ...ids, granted_scopes, status, connection_mode } };
}

export const connectionModeOf = (
  { webhooks }: HubParts,
  agentId: string,
): RelationView["connection_mode"] => (webhooks.has(agentId) ? "webhook" : "websocket");

function capabilityChangedFrame(relation: Relation): CapabilityChangedFrame | undefined {
  const { relation_id, agent_id, user_id, answer } = relation;
  if (answer === null || relation.status === "revoked") return undefined;
  const granted_scopes = [...relation.granted_scopes];
  return {
    type: "agent.capability_changed",
    payload: { relation_id, agent_id, user_id, ...answer, granted_scopes },
  };
}
