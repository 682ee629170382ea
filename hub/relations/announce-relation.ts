import { assertNever } from "../../app/contract/assert-never.ts";
import type {
  CapabilityChangedFrame,
  RelationFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import type { Relation } from "../storage/relation-store.ts";

/** Tells the agent and the person, if they are there; the others learn it when they connect. */
export function announceRelation(
  parts: HubParts,
  type: RelationFrame["type"],
  relation: RelationView,
): void {
  const frame = relationFrame(type, relation);
  parts.connections.send(relation.agent_id, frame);
  parts.connections.send(relation.user_id, frame);
  parts.webhooks.wake(relation.agent_id, relation.conversation_id);
  if (type !== "relation.established" && type !== "relation.restored") return;
  const { agent_id } = relation;
  if (!parts.connections.isOnline(agent_id)) return;
  parts.connections.send(relation.user_id, { type: "agent.presence", agent_id, online: true });
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
export function relationStanding(relation: Relation, hearer: "agent" | "human"): ServerFrame[] {
  const standing = relationFrame(standingType(relation.status), relation);
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

function relationFrame(type: RelationFrame["type"], relation: RelationView): RelationFrame {
  const { relation_id, agent_id, user_id, conversation_id } = relation;
  const granted_scopes = [...relation.granted_scopes];
  return {
    type,
    payload: { relation_id, agent_id, user_id, conversation_id, granted_scopes },
  };
}

function capabilityChangedFrame(relation: Relation): CapabilityChangedFrame | undefined {
  const { relation_id, agent_id, user_id, answer } = relation;
  if (answer === null || relation.status === "revoked") return undefined;
  const granted_scopes = [...relation.granted_scopes];
  return {
    type: "agent.capability_changed",
    payload: { relation_id, agent_id, user_id, ...answer, granted_scopes },
  };
}
