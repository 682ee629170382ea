import type { ConversationSummary } from "../../app/protocol/v1/conversation.ts";
import type { Member } from "./conversation-store.ts";
import type { HubDatabase } from "./open-database.ts";

export interface MemberRow extends Member {
  /** An agent's; `null` for people. */
  readonly name: string | null;
  /** The last number it has read; 0 when none. */
  readonly read_seq: number;
  /** Of an agent's relation with the conversation's owner. */
  readonly status: "active" | "suspended" | "revoked" | null;
}

/** Who is in which conversation, active or not, and how far each has read. */
export interface MemberStore {
  /** People first. */
  of(conversationId: string): readonly MemberRow[];
  /**
   * Those in which this member is active, and a person's with suspended agents; oldest first.
   * @param only this one
   */
  conversationsOf(memberId: string, only?: string): readonly ConversationSummary[];
  /** Groups with this agent, active or not, that belong to this person. */
  groupsOf(agentId: string, ownerId: string): readonly string[];
  add(conversationId: string, member: Member): void;
  remove(conversationId: string, memberId: string): void;
  /**
   * A position beyond the last message counts as the last.
   * @returns where it stands now, which is never behind where it stood
   */
  read(
    conversationId: string,
    memberId: string,
    seq: number,
  ): { readonly seq: number; readonly hasMoved: boolean };
}

export function memberStore(db: HubDatabase): MemberStore {
  const of = db.prepare<[string], MemberRow>(
    `SELECT m.member_id, m.member_type, m.read_seq, a.name, r.status
     FROM members m JOIN conversations c USING (conversation_id)
       LEFT JOIN agents a ON a.agent_id = m.member_id
       LEFT JOIN relations r ON r.agent_id = m.member_id AND r.user_id = c.owner_id
     WHERE m.conversation_id = ? ORDER BY m.member_type DESC, m.member_id`,
  );
  const conversationsOf = db.prepare<
    [{ member: string; only: string | null }],
    ConversationSummary
  >(
    `SELECT c.conversation_id, c.type, c.title, c.owner_id, c.last_seq, m.read_seq,
       (SELECT count(*) FROM members o WHERE o.conversation_id = c.conversation_id) AS member_count
     FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.member_id = @member AND coalesce(@only, m.conversation_id) = m.conversation_id
     AND CASE m.member_type
       WHEN 'human' THEN c.type = 'group' OR EXISTS (SELECT 1 FROM relations r
         WHERE r.conversation_id = c.conversation_id AND r.status <> 'revoked')
       ELSE EXISTS (SELECT 1 FROM relations r
         WHERE r.agent_id = m.member_id AND r.user_id = c.owner_id AND r.status = 'active') END
     ORDER BY c.rowid`,
  );
  const groupsOf = db.prepare<[string, string], { conversation_id: string }>(
    `SELECT conversation_id FROM members JOIN conversations c USING (conversation_id)
     WHERE member_id = ? AND owner_id = ? AND type = 'group' ORDER BY c.rowid`,
  );
  const add = db.prepare<[string, string, string]>(
    "INSERT OR IGNORE INTO members (conversation_id, member_id, member_type) VALUES (?, ?, ?)",
  );
  const remove = db.prepare<[string, string]>(
    "DELETE FROM members WHERE conversation_id = ? AND member_id = ?",
  );
  const mark = db.prepare<[{ conversation: string; member: string; seq: number }]>(
    `UPDATE members SET read_seq = min(@seq, c.last_seq) FROM conversations c
     WHERE members.conversation_id = @conversation AND members.member_id = @member
       AND c.conversation_id = @conversation AND min(@seq, c.last_seq) > members.read_seq`,
  );
  const position = db.prepare<[string, string], { read_seq: number }>(
    "SELECT read_seq FROM members WHERE conversation_id = ? AND member_id = ?",
  );
  return {
    of: (conversationId) => of.all(conversationId),
    conversationsOf: (member, only) => conversationsOf.all({ member, only: only ?? null }),
    groupsOf: (agentId, ownerId) =>
      groupsOf.all(agentId, ownerId).map(({ conversation_id }) => conversation_id),
    add: (conversationId, member) =>
      void add.run(conversationId, member.member_id, member.member_type),
    remove: (conversationId, memberId) => void remove.run(conversationId, memberId),
    read(conversation, member, seq) {
      const { changes } = mark.run({ conversation, member, seq });
      return {
        seq: position.get(conversation, member)?.read_seq ?? 0,
        hasMoved: changes > 0,
      };
    },
  };
}
