import type { ConversationSummary } from "../../app/protocol/v1/answers.ts";
import type { Conversation, Member, MemberState } from "../hub-records.ts";
import type { HubDatabase } from "./open-database.ts";

/** Whether member `m` of conversation `c` may send and receive there. */
export const ACTIVE = `(m.member_type = 'human' OR EXISTS (SELECT 1 FROM h2a_relations r
  WHERE r.agent_id = m.member_id AND r.user_id = c.owner_id AND r.status = 'active'))`;

const CACHED_AT_MOST = 10_000;

export type ConversationRows = ReturnType<typeof conversationRows>;

export function conversationRows(db: HubDatabase) {
  const cache = new Map<string, Conversation>();
  const about = db.prepare<[string], Omit<Conversation, "activeMembers">>(
    `SELECT conversation_id, type, owner_id AS ownerId, title,
       (SELECT count(*) FROM members m WHERE m.conversation_id = c.conversation_id) AS memberCount
     FROM conversations c WHERE conversation_id = ?`,
  );
  const activeMembers = db.prepare<[string], Member>(
    `SELECT m.member_id, m.member_type FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.conversation_id = ? AND ${ACTIVE}`,
  );
  const membersOf = db.prepare<[string], MemberState>(
    `SELECT m.member_id, m.member_type, m.read_seq, a.name, r.status
     FROM members m JOIN conversations c USING (conversation_id)
       LEFT JOIN agents a ON a.agent_id = m.member_id
       LEFT JOIN h2a_relations r ON r.agent_id = m.member_id AND r.user_id = c.owner_id
     WHERE m.conversation_id = ? ORDER BY m.member_type DESC, m.member_id`,
  );
  const summaries = db.prepare<[{ member: string; only: string | null }], ConversationSummary>(
    `SELECT c.conversation_id, c.type, c.title, c.owner_id, c.last_seq, m.read_seq,
       (SELECT count(*) FROM members o WHERE o.conversation_id = c.conversation_id) AS member_count
     FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.member_id = @member AND coalesce(@only, m.conversation_id) = m.conversation_id
     AND CASE m.member_type
       WHEN 'human' THEN c.type = 'group' OR EXISTS (SELECT 1 FROM h2a_relations r
         WHERE r.conversation_id = c.conversation_id AND r.status <> 'revoked')
       ELSE ${ACTIVE} END
     ORDER BY c.rowid`,
  );
  const groupsOf = db
    .prepare<[{ agent: string; owner: string | null }], string>(
      `SELECT conversation_id FROM members JOIN conversations c USING (conversation_id)
       WHERE member_id = @agent AND owner_id = coalesce(@owner, owner_id) AND type = 'group'
       ORDER BY c.rowid`,
    )
    .pluck();
  const madeBy = db
    .prepare<[string], number>(
      `SELECT count(*) FROM conversations c WHERE created_by = ? AND type = 'group'
       AND EXISTS (SELECT 1 FROM members m WHERE m.conversation_id = c.conversation_id)`,
    )
    .pluck();
  const insert = db.prepare<[NewConversation]>(
    `INSERT INTO conversations (conversation_id, type, owner_id, title, created_by)
     VALUES (@conversation_id, @type, @ownerId, @title, @createdBy)`,
  );
  const setTitle = db.prepare<[string | null, string]>(
    "UPDATE conversations SET title = ? WHERE conversation_id = ?",
  );
  const setNumber = db.prepare<[number, string]>(
    "UPDATE conversations SET last_seq = max(last_seq, ?) WHERE conversation_id = ?",
  );
  const add = db.prepare<[string, string, string]>(
    "INSERT OR IGNORE INTO members (conversation_id, member_id, member_type) VALUES (?, ?, ?)",
  );
  const remove = db.prepare<[string, string]>(
    "DELETE FROM members WHERE conversation_id = ? AND member_id = ?",
  );
  const mark = db.prepare<[{ id: string; member: string; seq: number }]>(
    `UPDATE members SET read_seq = min(@seq, c.last_seq) FROM conversations c
     WHERE members.conversation_id = @id AND members.member_id = @member
       AND c.conversation_id = @id AND min(@seq, c.last_seq) > members.read_seq`,
  );
  const position = db
    .prepare<[string, string], number>(
      "SELECT read_seq FROM members WHERE conversation_id = ? AND member_id = ?",
    )
    .pluck();

  /** Members are needed for every frame, so they are cached in memory. */
  function find(id: string): Conversation | undefined {
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const row = about.get(id);
    if (row === undefined) return undefined;
    const conversation = { ...row, activeMembers: activeMembers.all(id) };
    if (cache.size >= CACHED_AT_MOST) cache.clear();
    cache.set(id, conversation);
    return conversation;
  }

  return {
    find,
    /** Relations or members changed, or a change was rolled back: clears the cache. */
    forgetCached: () => cache.clear(),
    /** Its active members with this one among them. */
    activeWith(id: string, memberId: string): Conversation | undefined {
      const conversation = find(id);
      const isIn = conversation?.activeMembers.some(({ member_id }) => member_id === memberId);
      return isIn === true ? conversation : undefined;
    },
    membersOf: (id: string) => membersOf.all(id),
    summaries: (member: string, only: string | null = null) => summaries.all({ member, only }),
    /** Groups with this agent, active or not, of this person; null: of anybody. */
    groupsOf: (agent: string, owner: string | null) => groupsOf.all({ agent, owner }),
    groupsMadeBy: (subjectId: string) => madeBy.get(subjectId) ?? 0,
    create(conversation: NewConversation, members: readonly Member[]): void {
      insert.run(conversation);
      const { conversation_id, ownerId } = conversation;
      add.run(conversation_id, ownerId, "human");
      for (const each of members) add.run(conversation_id, each.member_id, each.member_type);
    },
    setTitle: (id: string, title: string | null): void => void setTitle.run(title, id),
    continueAfter: (id: string, seq: number): void => void setNumber.run(seq, id),
    add: (id: string, { member_id, member_type }: Member): void =>
      void add.run(id, member_id, member_type),
    remove: (id: string, memberId: string): void => void remove.run(id, memberId),
    read(id: string, member: string, seq: number) {
      const hasMoved = mark.run({ id, member, seq }).changes > 0;
      return { seq: position.get(id, member) ?? 0, hasMoved };
    },
  };
}

interface NewConversation
  extends Pick<Conversation, "conversation_id" | "type" | "ownerId" | "title"> {
  readonly createdBy: string;
}
