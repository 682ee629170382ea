import { GROUP_MEMBERS_AT_MOST } from "../../app/protocol/v1/group-frames.ts";
import type { MembersAdd } from "../../app/protocol/v1/rest.ts";
import type { Acquaintances, Member, Subject } from "../hub-records.ts";
import { Refusal } from "../refusal.ts";

/**
 * Who this subject may add to a group: only those it has an active relation with (platform: groups),
 * and itself.
 * @throws Refusal NOT_FOUND, NOT_RELATED, GROUPS_UNSUPPORTED, each with the ids
 */
export function newMembers(
  userId: string,
  by: Subject,
  { agent_ids: agentIds = [], user_ids: userIds = [] }: MembersAdd,
  { related, agents: known }: Acquaintances,
): readonly Member[] {
  const agents = [...new Set(agentIds)];
  const people = [...new Set(userIds)];
  // An agent can add no agents except itself.
  const isRelated = (type: Subject["type"]) => (id: string) =>
    id === by.id || (by.type === type && related.has(id));
  refuseAny("NOT_FOUND", "user_ids", people, (id) => id === userId);
  refuseAny("NOT_RELATED", "agent_ids", agents, isRelated("human"));
  refuseAny("NOT_RELATED", "user_ids", people, isRelated("agent"));
  // contract §5: only an agent whose manifest says no is left out.
  refuseAny("GROUPS_UNSUPPORTED", "agent_ids", agents, (id) => {
    const flags = known.get(id)?.capability_manifest.capability_flags;
    return known.has(id) && flags?.supports_group_chat !== false;
  });
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
