import { GROUP_MEMBERS_AT_MOST } from "../../app/protocol/v1/group-frames.ts";
import type { MembersAdd } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import type { Subject } from "../sessions/session.ts";
import { manifestOf } from "../storage/agent-store.ts";
import type { Member } from "../storage/conversation-store.ts";

/**
 * Whom this subject may bring into a group: only those it has an active relation with (platform:
 * groups), and itself.
 * @throws Refusal NOT_FOUND, NOT_RELATED, GROUPS_UNSUPPORTED, each with the ids
 */
export function newMembers(
  parts: HubParts,
  by: Subject,
  { agent_ids: agentIds = [], user_ids: userIds = [] }: MembersAdd,
): readonly Member[] {
  const agents = [...new Set(agentIds)];
  const people = [...new Set(userIds)];
  refuseAny("NOT_FOUND", "user_ids", people, (id) => id === parts.userId);
  refuseAny("NOT_RELATED", "agent_ids", agents, (id) => isRelated(parts, by, id, by.id));
  refuseAny("NOT_RELATED", "user_ids", people, (id) => isRelated(parts, by, by.id, id));
  refuseAny("GROUPS_UNSUPPORTED", "agent_ids", agents, (id) => joinsGroups(parts, id));
  return [
    ...people.map((member_id): Member => ({ member_id, member_type: "human" })),
    ...agents.map((member_id): Member => ({ member_id, member_type: "agent" })),
  ];
}

/** @throws Refusal GROUP_FULL */
export function refuseOverfull(memberCount: number): void {
  if (memberCount > GROUP_MEMBERS_AT_MOST) {
    throw new Refusal("GROUP_FULL", { members_at_most: GROUP_MEMBERS_AT_MOST });
  }
}

function refuseAny(
  code: "NOT_FOUND" | "NOT_RELATED" | "GROUPS_UNSUPPORTED",
  name: "agent_ids" | "user_ids",
  ids: readonly string[],
  mayJoin: (id: string) => boolean,
): void {
  const refused = ids.filter((id) => !mayJoin(id));
  if (refused.length > 0) throw new Refusal(code, { [name]: refused });
}

/** @param other the id of either, `by`'s own included */
function isRelated(parts: HubParts, by: Subject, agentId: string, userId: string): boolean {
  if (agentId === userId) return true;
  const [agent, person] = by.type === "agent" ? [by.id, userId] : [agentId, by.id];
  return parts.relations.between(agent, person)?.status === "active";
}

/** contract §5: only an agent whose manifest says no is left out. */
function joinsGroups(parts: HubParts, agentId: string): boolean {
  const agent = parts.agents.find(agentId);
  return agent !== undefined && manifestOf(agent).capability_flags?.supports_group_chat !== false;
}
