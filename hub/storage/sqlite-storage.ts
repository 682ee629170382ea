import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import type {
  Conversation,
  InvitableAgents,
  NewNotice,
  Relation,
  RelationChange,
  Subject,
  WithMembers,
} from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { accountOperations } from "./account-operations.ts";
import { agentRows, relationRows } from "./agent-rows.ts";
import { conversationRows } from "./conversation-rows.ts";
import { keyOperations, ledgerOperations } from "./key-operations.ts";
import { type MessageParts, messageOperations } from "./message-operations.ts";
import type { HubDatabase } from "./open-database.ts";
import { pairingOperations, pairingRows } from "./pairing-operations.ts";
import { eventNoting, webhookOperations } from "./webhook-operations.ts";

/** The hub's storage in SQLite. Operations on more than one kind of row are here. */
export function sqliteStorage(
  db: HubDatabase,
  parts: MessageParts,
): Omit<HubStorage, "localPerson" | "tokenSecret" | "nodes" | "close"> {
  const { commits } = parts;
  const agents = agentRows(db);
  const relations = relationRows(db);
  const conversations = conversationRows(db);
  const notices = noticeRows(db);
  const keys = keyOperations(db, commits);
  const pairings = pairingRows(db);
  const messages = messageOperations(db, parts, conversations, agents);
  const noteEvents = eventNoting(db);

  /** Changes who is active where. */
  function regroup<Value>(write: () => Value): Value {
    try {
      return commits.now(write);
    } finally {
      conversations.forgetCached();
    }
  }
  function asItIsNow(id: string): Conversation {
    conversations.forgetCached();
    const conversation = conversations.find(id);
    if (conversation === undefined) throw new RangeError("no such conversation");
    return conversation;
  }
  function dropMember(id: string, memberId: string): void {
    conversations.remove(id, memberId);
    messages.rows.forgetIn(memberId, id);
  }
  function putRelation({ relation, events }: RelationChange): void {
    relations.put(relation);
    noteEvents(relation, events);
  }
  function addRelation(relation: Relation): void {
    const { conversation_id, agent_id, user_id: ownerId } = relation;
    const talk = {
      conversation_id,
      type: "h2a",
      ownerId,
      title: null,
      createdBy: ownerId,
    } as const;
    conversations.create(talk, [{ member_id: agent_id, member_type: "agent" }]);
  }
  function leaveGroups(agentId: string, ownerId: string | null): readonly Conversation[] {
    const groups = conversations.groupsOf(agentId, ownerId);
    for (const id of groups) dropMember(id, agentId);
    return groups.map(asItIsNow);
  }
  function leaveAll({ agent_id, user_id, conversation_id }: Relation): readonly Conversation[] {
    messages.rows.forgetIn(agent_id, conversation_id);
    return leaveGroups(agent_id, user_id);
  }
  function invitable(by: Subject, agentIds: readonly string[]): InvitableAgents {
    const active = relations.of(by).filter(({ status }) => status === "active");
    const asked = agentIds.flatMap((id) => agents.find(id) ?? []);
    return {
      related: new Set(active.map((each) => (by.type === "agent" ? each.user_id : each.agent_id))),
      agents: new Map(asked.map((agent) => [agent.agent_id, agent])),
      groupsMade: conversations.groupsMadeBy(by.id),
    };
  }
  const isTaken = (id: string) => agents.find(id) !== undefined || keys.find(id) !== undefined;
  const withMembers = (memberId: string, only?: string): readonly WithMembers[] =>
    conversations.summaries(memberId, only).map((summary) => ({
      summary,
      members: conversations.membersOf(summary.conversation_id),
    }));

  return {
    agent: async (agentId) => agents.find(agentId),
    agentWithToken: async (hash) => agents.withToken(hash),
    addAgent: async (agent, webhook) => commits.now(() => agents.insert(agent, webhook)),
    isTaken: async (id) => isTaken(id),
    acceptPairing: async (pairingId, agent, card, relation, forgetAt) =>
      regroup(() => {
        const { agent_id } = agent;
        if (pairings.find(pairingId)?.status !== "waiting") return null;
        if (agents.find(agent_id) !== undefined) return undefined;
        pairings.close(pairingId, "accepted", forgetAt, agent_id);
        agents.insert(agent);
        if (card !== undefined) keys.put(card);
        addRelation(relation);
        relations.put(relation);
        return { personCard: keys.find(relation.user_id)?.identity_card ?? null };
      }),
    arrive: async (agent, card, relation, lastSeq, isOwn) =>
      regroup(() => {
        const { agent_id, user_id, relation_id, conversation_id } = relation;
        const there = agents.find(agent_id);
        const present = relations.between(agent_id, user_id);
        const published = keys.find(agent_id);
        const taken =
          published ?? relations.find(relation_id) ?? conversations.find(conversation_id);
        if (!isOwn(there, present, taken !== undefined)) return undefined;
        const isFresh = published?.signed_prekey == null;
        if (there === undefined) {
          agents.insert(agent);
          keys.put(card);
          addRelation(relation);
        } else if (isFresh) agents.setToken(agent_id, agent.token_hash);
        relations.put({ ...relation, ...present, status: "active" });
        conversations.continueAfter(conversation_id, lastSeq);
        return isFresh;
      }),
    replaceManifest: async (agentId, { manifest, manifest_hash }, decide) =>
      regroup(() => {
        const agent = agents.find(agentId);
        if (agent === undefined) return undefined;
        const change = decide(agent, relations.of({ id: agentId, type: "agent" }));
        agents.setManifest(agentId, manifest, manifest_hash);
        for (const each of change.relations) putRelation(each);
        const added = change.relations.map(({ relation, notice }) => {
          const { user_id } = relation;
          return [user_id, notices.add(user_id, notice)] as const;
        });
        const groupsLeft = change.leavesGroups ? leaveGroups(agentId, null) : [];
        return { ...change, notices: new Map(added), groupsLeft };
      }),
    webhooks: async () => agents.webhooks(),
    webhook: async (id) => agents.webhooks().find(({ agent_id }) => agent_id === id),
    setWebhook: async (webhook) => commits.now(() => agents.putWebhook(webhook)),
    removeWebhook: async (agentId) => commits.now(() => agents.removeWebhook(agentId)),

    relation: async (relationId) => relations.find(relationId),
    relationsOf: async (subject) => relations.of(subject),
    changeRelation: async (which, decide) =>
      regroup(() => {
        const present =
          "relation_id" in which
            ? relations.find(which.relation_id)
            : relations.between(which.agent_id, which.user_id);
        const agentId = "agent_id" in which ? which.agent_id : present?.agent_id;
        const change = decide(agentId === undefined ? undefined : agents.find(agentId), present);
        const { relation } = change;
        if (present === undefined) addRelation(relation);
        putRelation(change);
        const isOver = relation.status === "revoked" && present?.status !== "revoked";
        return { ...change, groupsLeft: isOver ? leaveAll(relation) : [] };
      }),

    conversation: async (conversationId) => conversations.find(conversationId),
    async conversationsOf(memberId) {
      commits.flush();
      return conversations.summaries(memberId);
    },
    async conversationOf(memberId, conversationId) {
      commits.flush();
      return withMembers(memberId, conversationId)[0];
    },
    createGroup: async (by, agentIds, decide) =>
      regroup(() => {
        const wanted = decide(invitable(by, agentIds));
        conversations.create({ ...wanted, type: "group", createdBy: by.id }, wanted.members);
        return { ...wanted, group: asItIsNow(wanted.conversation_id) };
      }),
    changeGroup: async (id, by, agentIds, decide) =>
      regroup(() => {
        const group = conversations.find(id);
        const memberIds = conversations.membersOf(id).map(({ member_id }) => member_id);
        const known = invitable(by, agentIds);
        const change = decide(group && { ...group, memberIds }, known);
        const { title, joining = [], leaving = [] } = change;
        if (title !== undefined) conversations.setTitle(id, title);
        for (const member of joining) conversations.add(id, member);
        for (const memberId of leaving) dropMember(id, memberId);
        return { ...change, group: asItIsNow(id) };
      }),

    ...messages.operations,
    markRead: (conversationId, memberId, seq) =>
      commits.addBehind(() => {
        const conversation = conversations.activeWith(conversationId, memberId);
        if (conversation === undefined) return undefined;
        const members = conversation.activeMembers;
        return { ...conversations.read(conversationId, memberId, seq), members };
      }),
    noticeReceived: (id, noticeId) => commits.add(() => notices.received(id, noticeId)),
    async snapshot(subject) {
      // What was sent before this moment must be in the store when it is read.
      commits.flush();
      const own = keys.find(subject.id);
      return {
        relations: relations.of(subject),
        conversations: withMembers(subject.id),
        keys: keys
          .sharing(subject.id)
          .flatMap(({ member_id: owner_id, key_id }) =>
            key_id === null ? [] : [{ owner_id, key_id }],
          ),
        oneTimeLeft: own === undefined || own.signed_prekey === null ? null : own.oneTimeLeft,
        notices: notices.waiting(subject.id),
      };
    },

    ...accountOperations(db, commits, isTaken),
    ...pairingOperations(pairings, commits),
    ...webhookOperations(db, commits, messages.rows),
    ...keys.operations,
    ...ledgerOperations(db, commits),
  };
}

interface NoticeRow {
  readonly notice_id: string;
  /** The frame as JSON text, without its `notice_id`. */
  readonly frame: string;
}

const TYPE = "h2a.reauth_required";

/** Notices that a person must get even if their client was away, until it confirms them. */
function noticeRows(db: HubDatabase) {
  const add = db.prepare<[string, string]>("INSERT INTO notices (user_id, frame) VALUES (?, ?)");
  const waiting = db.prepare<[string], NoticeRow>(
    `SELECT CAST(notice_id AS TEXT) AS notice_id, frame FROM notices
     WHERE user_id = ? ORDER BY notices.notice_id`,
  );
  // Compared as text: an id is opaque to its holder, and "1x" or "01" is not 1.
  const received = db.prepare<[string, string]>(
    "DELETE FROM notices WHERE user_id = ? AND CAST(notice_id AS TEXT) = ?",
  );
  return {
    add(userId: string, notice: NewNotice): ReauthRequiredFrame {
      const frame = JSON.stringify({ type: TYPE, payload: notice });
      const { lastInsertRowid } = add.run(userId, frame);
      return numbered(String(lastInsertRowid), notice);
    },
    waiting: (userId: string): readonly ReauthRequiredFrame[] =>
      waiting.all(userId).map(({ notice_id, frame }) => {
        // `add` wrote it.
        const { payload } = JSON.parse(frame) as { readonly payload: NewNotice };
        return numbered(notice_id, payload);
      }),
    received: (userId: string, noticeId: string): void => void received.run(userId, noticeId),
  };
}

const numbered = (notice_id: string, notice: NewNotice): ReauthRequiredFrame => ({
  type: TYPE,
  payload: { notice_id, ...notice },
});
