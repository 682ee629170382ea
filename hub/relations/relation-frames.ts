import { assertNever } from "../../app/contract/assert-never.ts";
import type {
  CapabilityChangedFrame,
  RelationFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import type { Relation } from "../hub-records.ts";

/** Everybody who had this agent has removed it. One that nobody has added yet is not removed. */
export const isRemoved = (relations: readonly Relation[]): boolean =>
  relations.length > 0 && relations.every(({ status }) => status === "revoked");

/** The relation as the person sees it. */
export const relationView = ({ answer: _, ...relation }: Relation): RelationView => relation;

/**
 * A relation's state for somebody who connects, including changes made while they were away. The
 * agent also gets the person's last answer.
 */
export function relationFrames(relation: Relation, hearer: "agent" | "human"): ServerFrame[] {
  const standing = relationFrame(standingType(relation.status), relation);
  const answer = hearer === "agent" ? capabilityChangedFrame(relation) : undefined;
  return answer === undefined ? [standing] : [standing, answer];
}

function standingType(status: Relation["status"]): RelationFrame["type"] {
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

export function relationFrame(
  type: RelationFrame["type"],
  { reauth: _, answer: __, ...relation }: Relation,
): RelationFrame {
  return { type, payload: { ...relation, granted_scopes: [...relation.granted_scopes] } };
}

/** The person's answer, sent only to the agent. */
export function capabilityChangedFrame(relation: Relation): CapabilityChangedFrame | undefined {
  const { relation_id, agent_id, user_id, answer } = relation;
  if (answer === null || relation.status === "revoked") return undefined;
  const granted_scopes = [...relation.granted_scopes];
  return {
    type: "agent.capability_changed",
    payload: { relation_id, agent_id, user_id, ...answer, granted_scopes },
  };
}
