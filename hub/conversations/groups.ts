import type { ConversationCreate, MembersAdd } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import { requireVisible } from "../rest/require-visible.ts";
import type { Subject } from "../sessions/session.ts";
import type { Conversation } from "../storage/conversation-store.ts";
import { newId } from "../tokens/random-text.ts";
import { announceGroup } from "./announce-group.ts";
import { ownConversation } from "./conversation-view.ts";
import { newMembers, refuseOverfull } from "./new-members.ts";

/** Groups that one agent may have made and that still go on. */
const GROUPS_OF_AGENT_AT_MOST = 32;

/**
 * A group always belongs to a person. One that an agent makes belongs to the first of the people it
 * names, or of those it has a relation with.
 * @returns its id
 * @throws Refusal BAD_REQUEST, NOT_FOUND, NOT_RELATED, GROUPS_UNSUPPORTED, GROUP_FULL, TOO_MANY_GROUPS
 */
export function createGroup(parts: HubParts, by: Subject, wanted: ConversationCreate): string {
  if (wanted.title !== undefined) requireVisible(wanted.title);
  const id = newId(parts.random);
  const invited = by.type === "agent" ? asAgent(parts, by, wanted) : wanted;
  const [ownerId = by.id] = by.type === "agent" ? (invited.user_ids ?? []) : [by.id];
  const joining = newMembers(parts, by, invited);
  const ids = new Set([ownerId, ...joining.map(({ member_id }) => member_id)]);
  refuseOverfull(ids.size);
  parts.atomically(() => {
    const title = wanted.title ?? null;
    parts.conversations.create({ id, type: "group", ownerId, title, createdBy: by.id });
    for (const member of joining) parts.members.add(id, member);
  });
  parts.conversations.forgetCached();
  announceGroup(parts, id, { change: "created", member_ids: [...ids], by: by.id });
  return id;
}

function asAgent(parts: HubParts, by: Subject, wanted: ConversationCreate): ConversationCreate {
  if (parts.conversations.groupsMadeBy(by.id) >= GROUPS_OF_AGENT_AT_MOST) {
    throw new Refusal("TOO_MANY_GROUPS", { groups_at_most: GROUPS_OF_AGENT_AT_MOST });
  }
  const people = parts.relations.activeOfAgent(by.id).map(({ user_id }) => user_id);
  const user_ids = wanted.user_ids ?? people;
  if (user_ids.length === 0) throw new Refusal("NOT_RELATED", { user_ids });
  return { ...wanted, user_ids, agent_ids: [by.id, ...(wanted.agent_ids ?? [])] };
}

/** @throws Refusal BAD_REQUEST, NOT_A_MEMBER, NOT_A_GROUP, FORBIDDEN */
export function renameGroup(parts: HubParts, by: Subject, id: string, title: string | null): void {
  if (title !== null) requireVisible(title);
  const group = ownedGroup(parts, by, id);
  if (group.title === title) return;
  parts.atomically(() => parts.conversations.setTitle(id, title));
  parts.conversations.forgetCached();
  announceGroup(parts, id, { change: "renamed", member_ids: [], by: by.id });
}

/**
 * They hear what is said from now on. Those who are in it already change nothing.
 * @throws Refusal NOT_A_MEMBER, NOT_A_GROUP, FORBIDDEN, and as `createGroup`
 */
export function addMembers(parts: HubParts, by: Subject, id: string, wanted: MembersAdd): void {
  ownedGroup(parts, by, id);
  const present = new Set(parts.members.of(id).map(({ member_id }) => member_id));
  const joining = newMembers(parts, by, wanted).filter(({ member_id }) => !present.has(member_id));
  refuseOverfull(present.size + joining.length);
  if (joining.length === 0) return;
  parts.atomically(() => {
    for (const member of joining) parts.members.add(id, member);
  });
  parts.conversations.forgetCached();
  const member_ids = joining.map(({ member_id }) => member_id);
  announceGroup(parts, id, { change: "members_added", member_ids, by: by.id });
}

/**
 * The owner removes anybody, everybody else only itself. What waited for the one who goes is
 * dropped. When the owner goes, the group ends: nobody is left whose relations it stands on.
 * @throws Refusal NOT_A_MEMBER, NOT_A_GROUP, FORBIDDEN, NOT_FOUND
 */
export function removeMember(parts: HubParts, by: Subject, id: string, memberId: string): void {
  const group = memberId === by.id ? ownGroup(parts, by, id) : ownedGroup(parts, by, id);
  const present = parts.members.of(id).map(({ member_id }) => member_id);
  if (!present.includes(memberId)) throw new Refusal("NOT_FOUND");
  const isEnd = memberId === group.ownerId;
  const leaving = isEnd ? present : [memberId];
  parts.atomically(() => {
    for (const each of leaving) dropMember(parts, id, each);
  });
  parts.conversations.forgetCached();
  const hearing = group.activeMembers.map(({ member_id }) => member_id);
  announceGroup(
    parts,
    id,
    { change: isEnd ? "ended" : "members_removed", member_ids: leaving, by: by.id },
    leaving.filter((each) => hearing.includes(each)),
  );
}

/**
 * A revoked agent leaves all groups of that person. Must run inside the transaction that revokes.
 * @returns tells the groups; to be called when it is kept
 */
export function leaveAllGroups(parts: HubParts, agentId: string, ownerId: string): () => void {
  const groups = parts.members.groupsOf(agentId, ownerId);
  for (const id of groups) dropMember(parts, id, agentId);
  return () => {
    for (const id of groups) {
      announceGroup(parts, id, {
        change: "members_removed",
        member_ids: [agentId],
        by: ownerId,
      });
    }
  };
}

function dropMember(parts: HubParts, id: string, memberId: string): void {
  parts.members.remove(id, memberId);
  parts.messages.forgetIn(memberId, id);
}

function ownGroup(parts: HubParts, by: Subject, id: string): Conversation {
  const conversation = ownConversation(parts, by, id);
  if (conversation.type !== "group") throw new Refusal("NOT_A_GROUP", { conversation_id: id });
  return conversation;
}

function ownedGroup(parts: HubParts, by: Subject, id: string): Conversation {
  const group = ownGroup(parts, by, id);
  if (group.ownerId !== by.id) throw new Refusal("FORBIDDEN");
  return group;
}
