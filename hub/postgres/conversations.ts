import type { ConversationSummary } from "../../app/protocol/v1/answers.ts";
import type {
  Conversation,
  InvitableAgents,
  Member,
  MemberState,
  Subject,
  WithMembers,
} from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { agentsIn, relationsIn } from "./agents.ts";
import type { HubPool, Statements } from "./database.ts";
import type { InTurn } from "./in-turn.ts";

/** Whether member `m` of conversation `c` may send and receive there. */
export const ACTIVE = `(m.member_type = 'human' OR EXISTS (SELECT 1 FROM h2a_relations r
  WHERE r.agent_id = m.member_id AND r.user_id = c.owner_id AND r.status = 'active'))`;

export const conversationIn = (db: Statements, id: string) =>
  db.one<Conversation>(
    `SELECT conversation_id, type, owner_id AS "ownerId", title,
       (SELECT count(*) FROM members m WHERE m.conversation_id = c.conversation_id) AS "memberCount",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('member_id', member_id, 'member_type', member_type)
          ORDER BY member_id), '[]') FROM members m
        WHERE m.conversation_id = c.conversation_id AND ${ACTIVE}) AS "activeMembers"
     FROM conversations c WHERE conversation_id = $1`,
    id,
  );

/** Nothing is sent there until the transaction ends. */
export async function lockConversations(db: Statements, ids: readonly string[]): Promise<void> {
  await db.all(
    `SELECT 1 FROM conversations WHERE conversation_id = ANY ($1)
     ORDER BY conversation_id FOR NO KEY UPDATE`,
    ids,
  );
}

const membersIn = (db: Statements, id: string) =>
  db.all<MemberState>(
    `SELECT m.member_id, m.member_type, m.read_seq, a.name, r.status
     FROM members m JOIN conversations c USING (conversation_id)
       LEFT JOIN agents a ON a.agent_id = m.member_id
       LEFT JOIN h2a_relations r ON r.agent_id = m.member_id AND r.user_id = c.owner_id
     WHERE m.conversation_id = $1 ORDER BY m.member_type DESC, m.member_id`,
    id,
  );

const summariesIn = (db: Statements, memberId: string, only: string | null = null) =>
  db.all<ConversationSummary>(
    `SELECT c.conversation_id, c.type, c.title, c.owner_id, c.last_seq, m.read_seq,
       (SELECT count(*) FROM members o WHERE o.conversation_id = c.conversation_id) AS member_count
     FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.member_id = $1 AND coalesce($2, m.conversation_id) = m.conversation_id
     AND CASE m.member_type
       WHEN 'human' THEN c.type = 'group' OR EXISTS (SELECT 1 FROM h2a_relations r
         WHERE r.conversation_id = c.conversation_id AND r.status <> 'revoked')
       ELSE ${ACTIVE} END
     ORDER BY c.ordinal`,
    memberId,
    only,
  );

export async function withMembersIn(
  db: Statements,
  memberId: string,
  only: string | null = null,
): Promise<readonly WithMembers[]> {
  const found: WithMembers[] = [];
  for (const summary of await summariesIn(db, memberId, only)) {
    found.push({ summary, members: await membersIn(db, summary.conversation_id) });
  }
  return found;
}

export async function createConversation(
  db: Statements,
  conversation: Pick<Conversation, "conversation_id" | "type" | "ownerId" | "title">,
  createdBy: string,
  members: readonly Member[],
): Promise<void> {
  const { conversation_id: id, type, ownerId, title } = conversation;
  await db.all(
    `INSERT INTO conversations (conversation_id, type, owner_id, title, created_by)
     VALUES ($1, $2, $3, $4, $5)`,
    id,
    type,
    ownerId,
    title,
    createdBy,
  );
  await addMember(db, id, { member_id: ownerId, member_type: "human" });
  for (const each of members) await addMember(db, id, each);
}

async function addMember(
  db: Statements,
  id: string,
  { member_id, member_type }: Member,
): Promise<void> {
  await db.all(
    `INSERT INTO members (conversation_id, member_id, member_type) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    id,
    member_id,
    member_type,
  );
}

/** Drops what waited for somebody in this conversation. */
export async function forgetIn(db: Statements, memberId: string, id: string): Promise<void> {
  await db.all(
    `SELECT settle_message(message_row, recipient_id) FROM deliveries JOIN messages USING (message_row)
     WHERE recipient_id = $1 AND conversation_id = $2`,
    memberId,
    id,
  );
}

async function dropMember(db: Statements, id: string, memberId: string): Promise<void> {
  await db.all("DELETE FROM members WHERE conversation_id = $1 AND member_id = $2", id, memberId);
  await forgetIn(db, memberId, id);
}

/** The agent leaves the groups of this person; null: of anybody. */
export async function leaveGroups(
  db: Statements,
  agentId: string,
  ownerId: string | null,
): Promise<readonly Conversation[]> {
  const groups = await db.all<{ conversation_id: string }>(
    `SELECT conversation_id FROM members JOIN conversations c USING (conversation_id)
     WHERE member_id = $1 AND owner_id = coalesce($2, owner_id) AND type = 'group'
     ORDER BY c.ordinal`,
    agentId,
    ownerId,
  );
  const ids = groups.map(({ conversation_id }) => conversation_id);
  await lockConversations(db, ids);
  for (const id of ids) await dropMember(db, id, agentId);
  const left: Conversation[] = [];
  for (const id of ids) left.push(...[await conversationIn(db, id)].flatMap((each) => each ?? []));
  return left;
}

export function conversationOperations(
  pool: HubPool,
  inTurn: InTurn,
): Pick<
  HubStorage,
  "conversation" | "conversationsOf" | "conversationOf" | "createGroup" | "changeGroup"
> {
  return {
    conversation: (id) => inTurn(id, () => conversationIn(pool, id)),
    conversationsOf: (memberId) => summariesIn(pool, memberId),
    conversationOf: async (memberId, id) => (await withMembersIn(pool, memberId, id))[0],
    createGroup: (by, agentIds, decide) =>
      pool.transaction(async (tx) => {
        const wanted = decide(await invitable(tx, by, agentIds));
        await createConversation(tx, { ...wanted, type: "group" }, by.id, wanted.members);
        return { ...wanted, group: await present(tx, wanted.conversation_id) };
      }),
    changeGroup: (id, by, agentIds, decide) =>
      pool.transaction(async (tx) => {
        await lockConversations(tx, [id]);
        const group = await conversationIn(tx, id);
        const memberIds = (await membersIn(tx, id)).map(({ member_id }) => member_id);
        const known = await invitable(tx, by, agentIds);
        const change = decide(group && { ...group, memberIds }, known);
        const { title, joining = [], leaving = [] } = change;
        if (title !== undefined) {
          await tx.all("UPDATE conversations SET title = $1 WHERE conversation_id = $2", title, id);
        }
        for (const member of joining) await addMember(tx, id, member);
        for (const memberId of leaving) await dropMember(tx, id, memberId);
        return { ...change, group: await present(tx, id) };
      }),
  };
}

async function present(tx: Statements, id: string): Promise<Conversation> {
  const conversation = await conversationIn(tx, id);
  if (conversation === undefined) throw new RangeError("no such conversation");
  return conversation;
}

async function invitable(
  tx: Statements,
  by: Subject,
  agentIds: readonly string[],
): Promise<InvitableAgents> {
  const active = (await relationsIn(tx, by)).filter(({ status }) => status === "active");
  const made = await tx.one<{ made: number }>(
    `SELECT count(*) AS made FROM conversations c WHERE created_by = $1 AND type = 'group'
     AND EXISTS (SELECT 1 FROM members m WHERE m.conversation_id = c.conversation_id)`,
    by.id,
  );
  const agents = await agentsIn(tx, agentIds);
  return {
    related: new Set(active.map((each) => (by.type === "agent" ? each.user_id : each.agent_id))),
    agents: new Map(agents.map((agent) => [agent.agent_id, agent])),
    groupsMade: made?.made ?? 0,
  };
}
