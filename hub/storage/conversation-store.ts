import type { HubDatabase } from "./open-database.ts";

export interface Member {
  readonly member_id: string;
  readonly member_type: "human" | "agent";
}

export interface Conversation {
  readonly type: "h2a" | "group";
  /** Those who may send and receive now: agents count only while their relation is active. */
  readonly activeMembers: readonly Member[];
}

export interface ConversationStore {
  find(conversationId: string): Conversation | undefined;
  create(
    conversation: { readonly id: string; readonly type: "h2a" | "group"; readonly ownerId: string },
    agentIds: readonly string[],
  ): void;
  /** Relations changed: who is active must be read again. */
  forgetCached(): void;
}

const CACHED_AT_MOST = 10_000;

/** Who is in a conversation is asked for every frame, so the answer is kept in memory. */
export function conversationStore(db: HubDatabase): ConversationStore {
  const cache = new Map<string, Conversation>();
  const type = db.prepare<[string], { type: "h2a" | "group" }>(
    "SELECT type FROM conversations WHERE conversation_id = ?",
  );
  const members = db.prepare<[string], Member>(
    `SELECT m.member_id, m.member_type FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.conversation_id = ? AND (m.member_type = 'human' OR EXISTS (
       SELECT 1 FROM relations r
       WHERE r.agent_id = m.member_id AND r.user_id = c.owner_id AND r.status = 'active'))`,
  );
  const insert = db.prepare<[string, string, string]>(
    "INSERT INTO conversations (conversation_id, type, owner_id) VALUES (?, ?, ?)",
  );
  const join = db.prepare<[string, string, string]>(
    "INSERT OR IGNORE INTO members (conversation_id, member_id, member_type) VALUES (?, ?, ?)",
  );

  function read(conversationId: string): Conversation | undefined {
    const row = type.get(conversationId);
    if (row === undefined) return undefined;
    const conversation = { type: row.type, activeMembers: members.all(conversationId) };
    if (cache.size >= CACHED_AT_MOST) cache.clear();
    cache.set(conversationId, conversation);
    return conversation;
  }

  return {
    find: (conversationId) => cache.get(conversationId) ?? read(conversationId),
    create({ id, type: kind, ownerId }, agentIds) {
      insert.run(id, kind, ownerId);
      join.run(id, ownerId, "human");
      for (const agentId of agentIds) join.run(id, agentId, "agent");
    },
    forgetCached: () => cache.clear(),
  };
}
