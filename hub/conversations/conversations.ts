import { joinsGroups } from "../../app/contract/manifest.ts";
import type {
  ConversationSummary,
  ConversationView,
  MemberView,
} from "../../app/protocol/v1/answers.ts";
import type { GroupUpdatedFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import { GROUP_MEMBERS_AT_MOST } from "../../app/protocol/v1/relayed-frames.ts";
import type { ConversationCreate, MembersAdd } from "../../app/protocol/v1/rest.ts";
import { refusal } from "../hub-error.ts";
import type { RandomBytes } from "../hub-options.ts";
import type {
  Conversation,
  Group,
  InvitableAgents,
  Member,
  MemberState,
  Subject,
  WithMembers,
} from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { Connection, Connections } from "../lines/connections.ts";
import { requireVisible } from "../rest/route.ts";
import { newId } from "../tokens/random-text.ts";

/** The most groups that one agent may have made and that still exist. */
const GROUPS_OF_AGENT_AT_MOST = 32;

export interface ConversationsParts {
  readonly storage: HubStorage;
  readonly connections: Connections;
  readonly random: RandomBytes;
}

/**
 * Conversations and their members. A conversation that somebody is not a member of is NOT_FOUND to
 * them. A group always belongs to a person: one that an agent makes belongs to the first person it
 * names, or else the first it has a relation with.
 */
export class Conversations {
  readonly #parts: ConversationsParts;

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
  }

  list({ id }: Subject): Promise<readonly ConversationSummary[]> {
    return this.#parts.storage.conversationsOf(id);
  }

  /** @throws Refusal NOT_FOUND */
  async view({ id }: Subject, conversationId: string): Promise<ConversationView> {
    const found = await this.#parts.storage.conversationOf(id, conversationId);
    if (found === undefined) throw refusal("NOT_FOUND");
    return conversationView(id, found);
  }

  /** @throws Refusal BAD_REQUEST, NOT_FOUND, NOT_RELATED, GROUPS_UNSUPPORTED, GROUP_FULL, TOO_MANY_GROUPS */
  async create(by: Subject, wanted: ConversationCreate): Promise<ConversationView> {
    const { title = null, agent_ids = [] } = wanted;
    if (title !== null) requireVisible(title);
    const { storage, random } = this.#parts;
    const conversation_id = newId(random);
    const asked = by.type === "agent" ? [by.id, ...agent_ids] : agent_ids;
    const { group, member_ids } = await storage.createGroup(by, asked, (known) => {
      const invited = by.type === "agent" ? asAgent(by, wanted, known) : wanted;
      const [ownerId = by.id] = by.type === "agent" ? (invited.user_ids ?? []) : [by.id];
      const members = newMembers(by, invited, known);
      const ids = new Set([ownerId, ...members.map(({ member_id }) => member_id)]);
      refuseOverfull(ids.size);
      return { conversation_id, ownerId, title, members, member_ids: [...ids] };
    });
    this.announce(group, { change: "created", member_ids, by: by.id });
    return this.view(by, conversation_id);
  }

  /** @throws Refusal BAD_REQUEST, NOT_FOUND, NOT_A_GROUP, FORBIDDEN */
  async rename(by: Subject, id: string, title: string | null): Promise<ConversationView> {
    if (title !== null) requireVisible(title);
    const { storage } = this.#parts;
    const { group, isChanged } = await storage.changeGroup(id, by, [], (present) => ({
      isChanged: ownedGroup(by, id, present).title !== title,
      title,
    }));
    if (isChanged) this.announce(group, { change: "renamed", member_ids: [], by: by.id });
    return this.view(by, id);
  }

  /**
   * Adds members, who get messages from now on. Present members are ignored.
   * @throws Refusal NOT_A_GROUP, FORBIDDEN, and as `create`
   */
  async addMembers(by: Subject, id: string, wanted: MembersAdd): Promise<ConversationView> {
    const { storage } = this.#parts;
    const asked = wanted.agent_ids ?? [];
    const { group, joining } = await storage.changeGroup(id, by, asked, (present, known) => {
      const { memberIds } = ownedGroup(by, id, present);
      const joining = newMembers(by, wanted, known).filter(
        ({ member_id }) => !memberIds.includes(member_id),
      );
      refuseOverfull(memberIds.length + joining.length);
      return { joining };
    });
    const member_ids = joining.map(({ member_id }) => member_id);
    if (member_ids.length > 0)
      this.announce(group, { change: "members_added", member_ids, by: by.id });
    return this.view(by, id);
  }

  /**
   * The owner can remove anybody, everybody else only themselves. What waited for the removed member is
   * dropped. When the owner leaves, the group ends, because it depends on the owner's relations.
   * @throws Refusal NOT_FOUND, NOT_A_GROUP, FORBIDDEN
   */
  async removeMember(by: Subject, id: string, memberId: string): Promise<void> {
    const { storage } = this.#parts;
    const { group, leaving, change, besides } = await storage.changeGroup(id, by, [], (present) => {
      const before = memberId === by.id ? ownGroup(by, id, present) : ownedGroup(by, id, present);
      if (!before.memberIds.includes(memberId)) throw refusal("NOT_FOUND");
      const isEnd = memberId === before.ownerId;
      const leaving = isEnd ? before.memberIds : [memberId];
      const hearing = before.activeMembers.map(({ member_id }) => member_id);
      const besides = leaving.filter((each) => hearing.includes(each));
      return { leaving, besides, change: isEnd ? "ended" : "members_removed" } as const;
    });
    this.announce(group, { change, member_ids: [...leaving], by: by.id }, besides);
  }

  /**
   * Stores how far somebody has read and tells the others; it never goes back. It is separate from
   * delivery: a message waits until it is reported received, read or not.
   * @param from the connection it came from; a person's other connections are told too
   * @throws Refusal NOT_FOUND
   */
  async markRead(
    by: Subject,
    conversation_id: string,
    seq: number,
    from?: Connection,
  ): Promise<number> {
    const { storage, connections } = this.#parts;
    const mark = await storage.markRead(conversation_id, by.id, seq);
    if (mark === undefined) throw refusal("NOT_FOUND");
    if (!mark.hasMoved) return mark.seq;
    const frame = { type: "message.read", conversation_id, user_id: by.id, seq: mark.seq };
    const text = JSON.stringify(frame);
    for (const { member_id } of mark.members) connections.sendText(member_id, text, from);
    return mark.seq;
  }

  /**
   * The agent is out of these groups, and is told so too.
   * @param by who decided it
   */
  announceLeft(groups: readonly Conversation[], agentId: string, by: string): void {
    for (const group of groups) {
      this.announce(group, { change: "members_removed", member_ids: [agentId], by }, [agentId]);
    }
  }

  /**
   * Tells all active, connected members of the group; the others get its state at their next connect.
   * @param besides former members, who are told this last change
   */
  announce(group: Conversation, changed: GroupChanged, besides: readonly string[] = []): void {
    const text = JSON.stringify(groupFrame(group, changed));
    const members = group.activeMembers.map(({ member_id }) => member_id);
    for (const hearer of [...members, ...besides]) this.#parts.connections.sendText(hearer, text);
  }
}

function asAgent(by: Subject, wanted: ConversationCreate, known: InvitableAgents): MembersAdd {
  if (known.groupsMade >= GROUPS_OF_AGENT_AT_MOST) {
    throw refusal("TOO_MANY_GROUPS", { groups_at_most: GROUPS_OF_AGENT_AT_MOST });
  }
  const user_ids = wanted.user_ids ?? [...known.related];
  if (user_ids.length === 0) throw refusal("NOT_RELATED", { user_ids });
  return { user_ids, agent_ids: [by.id, ...(wanted.agent_ids ?? [])] };
}

function ownGroup(by: Subject, conversation_id: string, group: Group | undefined): Group {
  const isIn = group?.activeMembers.some(({ member_id }) => member_id === by.id);
  if (group === undefined || isIn !== true) throw refusal("NOT_FOUND");
  if (group.type !== "group") throw refusal("NOT_A_GROUP", { conversation_id });
  return group;
}

function ownedGroup(by: Subject, id: string, present: Group | undefined): Group {
  const group = ownGroup(by, id, present);
  if (group.ownerId !== by.id) throw refusal("FORBIDDEN");
  return group;
}

/**
 * Who this subject may add to a group: only those it has an active relation with (platform: groups),
 * and itself.
 * @throws Refusal NOT_FOUND, NOT_RELATED, GROUPS_UNSUPPORTED, each with the ids
 */
function newMembers(
  by: Subject,
  { agent_ids: agentIds = [], user_ids: userIds = [] }: MembersAdd,
  { related, agents: known }: InvitableAgents,
): readonly Member[] {
  const agents = [...new Set(agentIds)];
  const people = [...new Set(userIds)];
  // An agent can add no agents except itself.
  const isRelated = (type: Subject["type"]) => (id: string) =>
    id === by.id || (by.type === type && related.has(id));
  refuseAny("NOT_RELATED", "agent_ids", agents, isRelated("human"));
  // Whether there is such a person, strangers do not learn.
  refuseAny("NOT_FOUND", "user_ids", people, isRelated("agent"));
  // contract §5: only an agent whose manifest says no is left out.
  refuseAny("GROUPS_UNSUPPORTED", "agent_ids", agents, (id) => {
    const agent = known.get(id);
    return agent !== undefined && joinsGroups(agent.capability_manifest);
  });
  return [
    ...people.map((member_id): Member => ({ member_id, member_type: "human" })),
    ...agents.map((member_id): Member => ({ member_id, member_type: "agent" })),
  ];
}

/** @throws Refusal GROUP_FULL */
function refuseOverfull(memberCount: number): void {
  if (memberCount > GROUP_MEMBERS_AT_MOST) {
    throw refusal("GROUP_FULL", { members_at_most: GROUP_MEMBERS_AT_MOST });
  }
}

function refuseAny(
  code: "NOT_FOUND" | "NOT_RELATED" | "GROUPS_UNSUPPORTED",
  name: "agent_ids" | "user_ids",
  ids: readonly string[],
  mayJoin: (id: string) => boolean,
): void {
  const refused = ids.filter((id) => !mayJoin(id));
  if (refused.length > 0) throw refusal(code, { [name]: refused });
}

type GroupFacts = Omit<Conversation, "type" | "activeMembers">;
type GroupChanged = Pick<GroupUpdatedFrame["payload"], "change" | "member_ids" | "by">;

const groupFrame = (
  { conversation_id, title, ownerId: owner_id, memberCount: member_count }: GroupFacts,
  changed: GroupChanged,
): GroupUpdatedFrame => ({
  type: "group.updated",
  payload: { conversation_id, ...changed, title, owner_id, member_count },
});

/** The state of this member's conversations: its groups, and how far everybody has read. */
export function* conversationFrames(
  memberId: string,
  conversations: readonly WithMembers[],
): Generator<ServerFrame> {
  for (const { summary, members } of conversations) {
    const { conversation_id, title, owner_id: ownerId, member_count: memberCount } = summary;
    if (summary.type === "group") {
      const group = { conversation_id, title, ownerId, memberCount };
      yield groupFrame(group, { change: "current", member_ids: [], by: null });
    }
    for (const { member_id: user_id, member_type, read_seq: seq } of members) {
      // A person may have read on another device; an agent knows what it has read.
      const isNews = user_id !== memberId || member_type === "human";
      if (seq > 0 && isNews) yield { type: "message.read", conversation_id, user_id, seq };
    }
  }
}

/** The conversation as this member sees it. */
function conversationView(memberId: string, { summary, members }: WithMembers): ConversationView {
  const isOwner = summary.owner_id === memberId;
  return {
    ...summary,
    members: members.map((each) => memberView(each, summary.owner_id, isOwner)),
  };
}

const memberView = (
  { status, ...member }: MemberState,
  ownerId: string,
  isForOwner: boolean,
): MemberView => ({
  ...member,
  role: member.member_id === ownerId ? "owner" : "member",
  // A revoked relation's agent is in no group, and its conversation of two is not shown.
  ...(isForOwner && (status === "active" || status === "suspended") ? { status } : {}),
});
