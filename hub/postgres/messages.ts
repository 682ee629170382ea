import { LIMITS } from "../../app/contract/limits.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import type { SendLimits } from "../hub-options.ts";
import type {
  Admission,
  Kept,
  MessageReceipt,
  NewMessage,
  NotKept,
  Undelivered,
  WaitingEvent,
} from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { conversationIn, lockConversations } from "./conversations.ts";
import { type HubPool, retried, type Statements } from "./database.ts";
import type { InTurn } from "./in-turn.ts";

type Operations = Pick<
  HubStorage,
  | "acceptMessage"
  | "setHistoryFull"
  | "forgetFullHistories"
  | "received"
  | "undelivered"
  | "prune"
  | "markRead"
  | "lanes"
  | "nextDelivery"
  | "settleDelivery"
>;
type Accepted =
  | NotKept
  | (MessageReceipt & Partial<Pick<Kept, "conversation_type" | "deliveries">>);

const ACCEPT = "SELECT accept_message($1, $2, $3, $4, $5, $6, $7, $8, $9) AS accepted";
const NOT_SUSPENDED = `NOT EXISTS (SELECT 1 FROM h2a_relations r
  WHERE r.agent_id = d.recipient_id AND r.user_id = c.owner_id AND r.status = 'suspended')`;
const UNDELIVERED = `SELECT d.delivery_id, m.message_id, m.conversation_id, m.conversation_seq,
    c.type AS conversation_type, m.sender_id, m.sender_type, m.content_type, m.msg_subtype,
    m.payload, m.created_at
  FROM deliveries d JOIN messages m USING (message_row) JOIN conversations c USING (conversation_id)`;
const SETTLE = `SELECT settle_message(message_row, $1) FROM messages
  WHERE conversation_id = $2 AND conversation_seq = $3`;

export function messageOperations(
  pool: HubPool,
  inTurn: InTurn,
  wanted: SendLimits,
  nodeId: string,
): Operations {
  const { toolCallsPerMinute, sentBytesPerMinute } = { ...LIMITS, ...wanted };
  async function accept(db: Statements, message: NewMessage, admission: Admission) {
    const found = await db.one<{ accepted: Accepted }>(
      ACCEPT,
      { json: message },
      admission.bytes,
      admission.isCall,
      admission.isInHistory,
      toolCallsPerMinute,
      sentBytesPerMinute,
      UNDELIVERED_AT_MOST,
      LIMITS.waitingBytes,
      nodeId,
    );
    if (found === undefined) throw new RangeError("nothing was accepted");
    return found.accepted;
  }
  /** The rule sees the members' manifests as they are when the message is stored. */
  const acceptByRule = (message: NewMessage, admission: Admission) =>
    pool.transaction(async (tx): Promise<Accepted> => {
      await lockConversations(tx, [message.conversation_id]);
      const known = await tx.one(
        "SELECT 1 FROM messages WHERE sender_id = $1 AND client_message_id = $2",
        message.sender_id,
        message.client_message_id,
      );
      if (known === undefined) {
        const rows = await tx.all<{ capability_manifest: Manifest }>(
          "SELECT capability_manifest FROM agents WHERE agent_id = ANY (active_members($1))",
          message.conversation_id,
        );
        const refusal = admission.refusal?.(rows.map((each) => each.capability_manifest));
        if (refusal !== undefined) return refusal;
      }
      return accept(tx, message, admission);
    });
  return {
    acceptMessage: (message, admission) =>
      inTurn(message.conversation_id, async () => {
        const accepted =
          admission.refusal === null
            ? await retried(() => accept(pool, message, admission))
            : await acceptByRule(message, admission);
        if ("refused" in accepted) return accepted;
        const { conversation_type = null, deliveries = [], ...receipt } = accepted;
        return { receipt, conversation_type, deliveries, safe: async () => undefined };
      }),
    async setHistoryFull(userId, agentId, isFull) {
      await pool.all(
        isFull
          ? "INSERT INTO full_histories (user_id, agent_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
          : "DELETE FROM full_histories WHERE user_id = $1 AND agent_id = $2",
        userId,
        agentId,
      );
    },
    async forgetFullHistories(userId) {
      await pool.all("DELETE FROM full_histories WHERE user_id = $1", userId);
    },
    received: (recipientId, conversationId, seq) =>
      inTurn(recipientId, async () => {
        await retried(() => pool.all(SETTLE, recipientId, conversationId, seq));
      }),
    undelivered: (recipientId, after, limit) =>
      inTurn(recipientId, () =>
        pool.all<Undelivered>(
          `${UNDELIVERED} WHERE d.recipient_id = $1 AND d.delivery_id > $2 AND ${NOT_SUSPENDED}
           ORDER BY d.delivery_id LIMIT $3`,
          recipientId,
          after,
          limit,
        ),
      ),
    async prune(before) {
      await pool.all("DELETE FROM messages WHERE payload IS NULL AND created_at < $1", before);
    },
    markRead: (conversationId, memberId, seq) =>
      inTurn(conversationId, () =>
        pool.transaction(async (tx) => {
          const talk = await conversationIn(tx, conversationId);
          const members = talk?.activeMembers ?? [];
          if (!members.some(({ member_id }) => member_id === memberId)) return undefined;
          const moved = await tx.all(
            `UPDATE members m SET read_seq = least($3, c.last_seq) FROM conversations c
             WHERE m.conversation_id = $1 AND m.member_id = $2 AND c.conversation_id = $1
               AND least($3, c.last_seq) > m.read_seq RETURNING 1`,
            conversationId,
            memberId,
            seq,
          );
          const now = await tx.one<{ read_seq: number }>(
            "SELECT read_seq FROM members WHERE conversation_id = $1 AND member_id = $2",
            conversationId,
            memberId,
          );
          return { seq: now?.read_seq ?? 0, hasMoved: moved.length > 0, members };
        }),
      ),
    async lanes(agentId) {
      const rows = await pool.all<{ conversation_id: string }>(
        `SELECT conversation_id FROM (
           SELECT conversation_id FROM queues d JOIN conversations c USING (conversation_id)
           WHERE d.recipient_id = $1 AND d.waiting > 0 AND ${NOT_SUSPENDED}
           UNION SELECT conversation_id FROM webhook_events WHERE agent_id = $1) waiting
         WHERE NOT EXISTS (SELECT 1 FROM lane_owners o WHERE o.agent_id = $1
           AND o.conversation_id = waiting.conversation_id AND o.node_id <> $2 AND o.until > now())`,
        agentId,
        nodeId,
      );
      return rows.map(({ conversation_id }) => conversation_id);
    },
    nextDelivery: (agentId, conversationId) =>
      pool.transaction(async (tx) => {
        if (!(await isLaneOurs(tx, agentId, conversationId, nodeId))) return undefined;
        const message = await tx.one<Undelivered>(
          `${UNDELIVERED} WHERE d.recipient_id = $1 AND m.conversation_id = $2 AND ${NOT_SUSPENDED}
           ORDER BY d.delivery_id LIMIT 1`,
          agentId,
          conversationId,
        );
        const event = await tx.one<WaitingEvent & { after_delivery: number }>(
          `SELECT * FROM webhook_events WHERE agent_id = $1 AND conversation_id = $2
           ORDER BY event_row LIMIT 1`,
          agentId,
          conversationId,
        );
        if (message === undefined && event === undefined) {
          // Whoever stores the next one can have it.
          await tx.all(LEAVE_LANE, agentId, conversationId);
        }
        if (message === undefined) return event && ({ kind: "event", event } as const);
        return event !== undefined && event.after_delivery < message.delivery_id
          ? ({ kind: "event", event } as const)
          : ({ kind: "message", message } as const);
      }),
    async settleDelivery(agentId, waiting) {
      if (waiting.kind === "event") {
        await pool.all("DELETE FROM webhook_events WHERE event_row = $1", waiting.event.event_row);
        return;
      }
      const { conversation_id, conversation_seq } = waiting.message;
      await retried(() => pool.all(SETTLE, agentId, conversation_id, conversation_seq));
    },
  };
}

const LEAVE_LANE = "DELETE FROM lane_owners WHERE agent_id = $1 AND conversation_id = $2";
/**
 * Longer than an endpoint has to answer, so that nobody else sends while one hub waits for it. A node that
 * waits longer before it tries again keeps its lanes with each beat.
 */
export const LANE_S = 30;

/** One hub at a time calls an agent about a conversation. */
const isLaneOurs = async (db: Statements, agentId: string, talk: string, nodeId: string) =>
  (await db.one(
    `INSERT INTO lane_owners AS o (agent_id, conversation_id, node_id, until)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))
     ON CONFLICT (agent_id, conversation_id) DO UPDATE SET node_id = $3, until = excluded.until
       WHERE o.node_id = $3 OR o.until < now() RETURNING 1`,
    agentId,
    talk,
    nodeId,
    LANE_S,
  )) !== undefined;
