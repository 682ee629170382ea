import type {
  Admission,
  MessageReceipt,
  NewMessage,
  NotKept,
  Undelivered,
} from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { SentRecently } from "../limits/agent-limits.ts";
import type { FullHistories } from "../limits/full-histories.ts";
import type { agentRows } from "./agent-rows.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import type { FreshMessages } from "./fresh-messages.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { HubDatabase } from "./open-database.ts";
import type { QueueRows } from "./queue-rows.ts";

/** Of a delivery `d` in a conversation `c`: its recipient is a person, or an agent that may hear. */
export const NOT_SUSPENDED = `NOT EXISTS (SELECT 1 FROM h2a_relations r
  WHERE r.agent_id = d.recipient_id AND r.user_id = c.owner_id AND r.status = 'suspended')`;

/** Every column of `Undelivered`, of a delivery `d`. */
export const UNDELIVERED = `SELECT d.delivery_id, m.message_id, m.conversation_id, m.conversation_seq,
    c.type AS conversation_type, m.sender_id, m.sender_type, m.content_type, m.msg_subtype,
    m.payload, m.created_at
  FROM deliveries d JOIN messages m USING (message_row) JOIN conversations c USING (conversation_id)`;

export interface MessageParts {
  readonly commits: GroupCommit;
  readonly fresh: FreshMessages;
  readonly queues: QueueRows;
  readonly sent: SentRecently;
  readonly fullHistories: FullHistories;
}

type Operations = Pick<
  HubStorage,
  "acceptMessage" | "setHistoryFull" | "forgetFullHistories" | "received" | "undelivered" | "prune"
>;

export function messageOperations(
  db: HubDatabase,
  parts: MessageParts,
  conversations: ConversationRows,
  agents: Pick<ReturnType<typeof agentRows>, "find">,
) {
  const { commits, fresh, queues, sent, fullHistories } = parts;
  const rows = deliveryRows(db, queues);
  const accept = acceptance(db, parts, conversations, agents);
  const page = db.prepare<[string, number, number], Undelivered>(
    `${UNDELIVERED} WHERE d.recipient_id = ? AND d.delivery_id > ? AND ${NOT_SUSPENDED}
     ORDER BY d.delivery_id LIMIT ?`,
  );
  const prune = db.prepare<[number]>(
    "DELETE FROM messages WHERE payload IS NULL AND created_at < ?",
  );
  /** What could not be kept does not count. */
  function attempt<Value>(message: NewMessage, work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      sent.takeBack(message);
      throw error;
    }
  }
  const operations: Operations = {
    setHistoryFull: async (...full) => fullHistories.set(...full),
    forgetFullHistories: async (userId) => fullHistories.forget(userId),
    async acceptMessage(message, admission) {
      const value = attempt(message, () => commits.within(() => accept(message, admission)));
      if ("refused" in value) return value;
      const { safe, ...kept } = value;
      safe.catch(() => sent.takeBack(message));
      return {
        ...kept,
        safe(mayBeReported) {
          if (!mayBeReported) commits.soon();
          return safe;
        },
      };
    },
    async received(recipientId, conversationId, seq) {
      if (fresh.received(recipientId, conversationId, seq)) return commits.committed();
      return commits.add(() => {
        if (rows.settle(recipientId, conversationId, seq)) fresh.receivedByAll(conversationId, seq);
      });
    },
    async undelivered(recipientId, after, limit) {
      commits.flush();
      return page.all(recipientId, after, limit);
    },
    async prune(before) {
      commits.now(() => prune.run(before));
      // What was pruned or emptied must not live on in the write-ahead log.
      db.pragma("wal_checkpoint(TRUNCATE)");
    },
  };
  return { operations, rows };
}

function acceptance(
  db: HubDatabase,
  { fresh, sent, fullHistories }: MessageParts,
  conversations: ConversationRows,
  agents: Pick<ReturnType<typeof agentRows>, "find">,
) {
  const stored = db.prepare<[string, string], MessageReceipt>(
    `SELECT message_id, conversation_id, conversation_seq FROM messages
     WHERE sender_id = ? AND client_message_id = ?`,
  );
  function resent(message: NewMessage) {
    const toNobody = { deliveries: [], conversation_type: null };
    const before = fresh.find(message);
    if (before !== undefined) return { ...before, ...toNobody };
    const receipt = stored.get(message.sender_id, message.client_message_id);
    return receipt && { receipt, ...toNobody, safe: Promise.resolve() };
  }
  function limited(message: NewMessage, admission: Admission, others: readonly string[]) {
    const { sender_id, sender_type } = message;
    if (sender_type !== "agent") return undefined;
    const isFull = admission.isInHistory && fullHistories.isFull(others, sender_id);
    return isFull ? refused("HISTORY_FULL") : sent.take(message, admission);
  }
  return (message: NewMessage, admission: Admission) => {
    // Found by its sender, who may no longer be a member: nobody else learns of it.
    const before = resent(message);
    if (before !== undefined) return before;
    const { conversation_id, sender_id } = message;
    const conversation = conversations.activeWith(conversation_id, sender_id);
    const members = conversation?.activeMembers.map(({ member_id }) => member_id) ?? [];
    const others = members.filter((id) => id !== sender_id);
    if (conversation === undefined || others.length === 0) return refused("NOT_A_MEMBER");
    const { bytes, refusal: ruled } = admission;
    const manifests = () => members.flatMap((id) => agents.find(id)?.capability_manifest ?? []);
    const refusal = ruled?.(manifests()) ?? limited(message, admission, others);
    if (refusal !== undefined) return refusal;
    const kept = fresh.keep(message, others, bytes);
    if (kept === undefined) {
      sent.takeBack(message);
      return refused("RECIPIENT_QUEUE_FULL");
    }
    return { ...kept, conversation_type: conversation.type };
  };
}

const refused = (code: "NOT_A_MEMBER" | "RECIPIENT_QUEUE_FULL" | "HISTORY_FULL"): NotKept => ({
  refused: code,
});

export type DeliveryRows = ReturnType<typeof deliveryRows>;

/** Deliveries that end. All of it runs inside a transaction. */
function deliveryRows(db: HubDatabase, queues: QueueRows) {
  const rowAt = db
    .prepare<[string, number], number>(
      "SELECT message_row FROM messages WHERE conversation_id = ? AND conversation_seq = ?",
    )
    .pluck();
  const settle = db.prepare<[number, string]>(
    "DELETE FROM deliveries WHERE message_row = ? AND recipient_id = ?",
  );
  const owedIn = db
    .prepare<[string, string], number>(
      `DELETE FROM deliveries WHERE recipient_id = ? AND message_row IN (
         SELECT message_row FROM messages WHERE conversation_id = ?)
       RETURNING message_row`,
    )
    .pluck();
  // Once nobody waits for it, the envelope goes; the row stays to recognise a resend.
  const empty = db.prepare<[{ row: number }]>(
    `UPDATE messages SET payload = NULL WHERE message_row = @row
     AND NOT EXISTS (SELECT 1 FROM deliveries WHERE message_row = @row)`,
  );
  return {
    /** @returns whether everybody has received it now */
    settle(recipientId: string, conversationId: string, seq: number): boolean {
      const row = rowAt.get(conversationId, seq);
      if (row === undefined || settle.run(row, recipientId).changes === 0) return false;
      queues.shrank(recipientId, conversationId);
      return empty.run({ row }).changes > 0;
    },
    /** Drops what waited for somebody in this conversation. */
    forgetIn(recipientId: string, conversationId: string): void {
      for (const row of owedIn.all(recipientId, conversationId)) empty.run({ row });
      queues.emptiedIn(recipientId, conversationId);
    },
  };
}
