import type { HubDatabase } from "./open-database.ts";

export interface Member {
  readonly member_id: string;
  readonly member_type: "human" | "agent";
}

interface ConversationRow {
  readonly type: "h2a" | "group";
  /** Whose relations decide which agents are active. */
  readonly ownerId: string;
  readonly title: string | null;
  /** All of them, active or not. */
  readonly memberCount: number;
}

export interface Conversation extends ConversationRow {
  /** Those who may send and receive now: agents count only while their relation is active. */
  readonly activeMembers: readonly Member[];
}

interface NewConversation {
  readonly id: string;
  readonly type: "h2a" | "group";
  readonly ownerId: string;
  readonly title: string | null;
  readonly createdBy: string;
}

export interface ConversationStore {
  find(conversationId: string): Conversation | undefined;
  /** With its owner as its only member. Must run inside a transaction. */
  create(conversation: NewConversation): void;
  setTitle(conversationId: string, title: string | null): void;
  /** Groups that this subject made and that still have members. */
  groupsMadeBy(subjectId: string): number;
  /** Relations or members changed: who is active must be read again. */
  forgetCached(): void;
}

const CACHED_AT_MOST = 10_000;

/** Who is in a conversation is asked for every frame, so the answer is kept in memory. */
export function conversationStore(db: HubDatabase): ConversationStore {
  const cache = new Map<string, Conversation>();
  const about = db.prepare<[string], ConversationRow>(
    `SELECT type, owner_id AS ownerId, title,
       (SELECT count(*) FROM members m WHERE m.conversation_id = c.conversation_id) AS memberCount
     FROM conversations c WHERE conversation_id = ?`,
  );
  const members = db.prepare<[string], Member>(
    `SELECT m.member_id, m.member_type FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.conversation_id = ? AND (m.member_type = 'human' OR EXISTS (
       SELECT 1 FROM relations r
       WHERE r.agent_id = m.member_id AND r.user_id = c.owner_id AND r.status = 'active'))`,
  );
  const insert = db.prepare<[NewConversation]>(
    `INSERT INTO conversations (conversation_id, type, owner_id, title, created_by)
     VALUES (@id, @type, @ownerId, @title, @createdBy)`,
  );
  const join = db.prepare<[string, string]>(
    "INSERT INTO members (conversation_id, member_id, member_type) VALUES (?, ?, 'human')",
  );
  const setTitle = db.prepare<[string | null, string]>(
    "UPDATE conversations SET title = ? WHERE conversation_id = ?",
  );
  const madeBy = db.prepare<[string], { made: number }>(
    `SELECT count(*) AS made FROM conversations c WHERE created_by = ? AND type = 'group'
     AND EXISTS (SELECT 1 FROM members m WHERE m.conversation_id = c.conversation_id)`,
  );

  function read(conversationId: string): Conversation | undefined {
    const row = about.get(conversationId);
    if (row === undefined) return undefined;
    const conversation = { ...row, activeMembers: members.all(conversationId) };
    if (cache.size >= CACHED_AT_MOST) cache.clear();
    cache.set(conversationId, conversation);
    return conversation;
  }

  return {
    find: (conversationId) => cache.get(conversationId) ?? read(conversationId),
    create(conversation) {
      insert.run(conversation);
      join.run(conversation.id, conversation.ownerId);
    },
    setTitle: (conversationId, title) => void setTitle.run(title, conversationId),
    groupsMadeBy: (subjectId) => madeBy.get(subjectId)?.made ?? 0,
    forgetCached: () => cache.clear(),
  };
}
