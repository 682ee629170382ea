import type {
  Admission,
  MessageReceipt,
  NewMessage,
  NotKept,
  Undelivered,
} from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { agentRows } from "./agent-rows.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { HubDatabase } from "./open-database.ts";
import { type QueueRows, queueRows } from "./queue-rows.ts";

/** Of a delivery `d` in a conversation `c`: its recipient is a person, or an agent that may hear. */
export const NOT_SUSPENDED = `NOT EXISTS (SELECT 1 FROM h2a_relations r
  WHERE r.agent_id = d.recipient_id AND r.user_id = c.owner_id AND r.status = 'suspended')`;

/** Every column of `Undelivered`, of a delivery `d`. */
export const UNDELIVERED = `SELECT d.delivery_id, m.message_id, m.conversation_id, m.conversation_seq,
    c.type AS conversation_type, m.sender_id, m.sender_type, m.content_type, m.msg_subtype,
    m.payload, m.created_at
  FROM deliveries d JOIN messages m USING (message_row) JOIN conversations c USING (conversation_id)`;

type Operations = Pick<HubStorage, "acceptMessage" | "received" | "undelivered" | "prune">;

export function messageOperations(
  db: HubDatabase,
  commits: GroupCommit,
  conversations: ConversationRows,
  agents: Pick<ReturnType<typeof agentRows>, "find">,
) {
  const queues = queueRows(db);
  const unsafe = new UnsafeMessages();
  const rows = deliveryRows(db, queues, (row) => unsafe.received(row));
  const accept = acceptance(db, queues, conversations, agents);
  const page = db.prepare<[string, number, number], Undelivered>(
    `${UNDELIVERED} WHERE d.recipient_id = ? AND d.delivery_id > ? AND ${NOT_SUSPENDED}
     ORDER BY d.delivery_id LIMIT ?`,
  );
  const prune = db.prepare<[number]>(
    "DELETE FROM messages WHERE payload IS NULL AND created_at < ?",
  );
  const operations: Operations = {
    async acceptMessage(message, admission) {
      const { value, committed } = commits.hold(() => accept(message, admission));
      if ("refused" in value) return value;
      const { row, ...kept } = value;
      const isResent = kept.deliveries.length === 0;
      const safe = (isResent ? unsafe.of(row) : undefined) ?? unsafe.add(row, committed);
      return {
        ...kept,
        safe(mayBeReported) {
          if (!mayBeReported) commits.soon();
          return safe;
        },
      };
    },
    received: (recipientId, conversationId, seq) =>
      commits.add(() => rows.settle(recipientId, conversationId, seq)),
    undelivered: async (recipientId, after, limit) => page.all(recipientId, after, limit),
    async prune(before) {
      commits.now(() => prune.run(before));
      // What was pruned or emptied must not live on in the write-ahead log.
      db.pragma("wal_checkpoint(TRUNCATE)");
    },
  };
  return { operations, rows };
}

/** Messages that are not committed yet, and whom to tell when all recipients have one. */
class UnsafeMessages {
  readonly #waiting = new Map<
    number,
    { readonly safe: Promise<void>; readonly received: () => void }
  >();

  /** A resend waits for the same. */
  of(row: number): Promise<void> | undefined {
    return this.#waiting.get(row)?.safe;
  }

  add(row: number, committed: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const safe = Promise.race([committed, promise]);
    const waiting = { safe, received: resolve };
    this.#waiting.set(row, waiting);
    // After an undone commit another message may have the row by now.
    const over = () => {
      if (this.#waiting.get(row) === waiting) this.#waiting.delete(row);
    };
    committed.then(over, over);
    return safe;
  }

  received(row: number): void {
    this.#waiting.get(row)?.received();
  }
}

function acceptance(
  db: HubDatabase,
  queues: QueueRows,
  conversations: ConversationRows,
  agents: Pick<ReturnType<typeof agentRows>, "find">,
) {
  const known = db.prepare<[string, string], MessageReceipt & { readonly row: number }>(
    `SELECT message_row AS row, message_id, conversation_id, conversation_seq FROM messages
     WHERE sender_id = ? AND client_message_id = ?`,
  );
  const nextSeq = db
    .prepare<[string], number>(
      "UPDATE conversations SET last_seq = last_seq + 1 WHERE conversation_id = ? RETURNING last_seq",
    )
    .pluck();
  const insert = db.prepare<[NewMessage & { conversation_seq: number }]>(
    `INSERT INTO messages (message_id, conversation_id, conversation_seq, sender_id, sender_type,
       client_message_id, content_type, msg_subtype, payload, created_at)
     VALUES (@message_id, @conversation_id, @conversation_seq, @sender_id, @sender_type,
       @client_message_id, @content_type, @msg_subtype, @payload, @created_at)`,
  );
  const owe = db.prepare<[string, number | bigint]>(
    "INSERT INTO deliveries (recipient_id, message_row) VALUES (?, ?)",
  );
  function keep(message: NewMessage, recipients: readonly string[]) {
    const { message_id, conversation_id } = message;
    const conversation_seq = nextSeq.get(conversation_id) ?? 0;
    const row = Number(insert.run({ ...message, conversation_seq }).lastInsertRowid);
    const deliveries = recipients.map((recipient_id) => ({
      recipient_id,
      delivery_id: Number(owe.run(recipient_id, row).lastInsertRowid),
    }));
    return { row, receipt: { message_id, conversation_id, conversation_seq }, deliveries };
  }
  /** Counts it for its sender and for every recipient, or for nobody. */
  function fits({ sender_id, conversation_id }: NewMessage, to: readonly string[], bytes: number) {
    if (bytes > 0 && !queues.fits(sender_id, bytes)) return false;
    const hasRoom = queues.grew(to, conversation_id);
    if (bytes > 0 && !hasRoom) queues.fits(sender_id, -bytes);
    return hasRoom;
  }
  return (message: NewMessage, admission: Admission | undefined) => {
    const { conversation_id, sender_id, client_message_id } = message;
    const conversation = conversations.activeWith(conversation_id, sender_id);
    const members = conversation?.activeMembers.map(({ member_id }) => member_id) ?? [];
    const others = members.filter((id) => id !== sender_id);
    if (conversation === undefined || others.length === 0) return refused("NOT_A_MEMBER");
    const { type: conversation_type } = conversation;
    const before = known.get(sender_id, client_message_id);
    if (before !== undefined) {
      const { row, ...receipt } = before;
      return { row, receipt, conversation_type, deliveries: [] };
    }
    const manifests = () => members.flatMap((id) => agents.find(id)?.capability_manifest ?? []);
    const refusal = admission?.take(others, manifests);
    if (refusal !== undefined) return refusal;
    if (!fits(message, others, admission?.bytes ?? 0)) return refused("RECIPIENT_QUEUE_FULL");
    return { ...keep(message, others), conversation_type };
  };
}

const refused = (code: "NOT_A_MEMBER" | "RECIPIENT_QUEUE_FULL"): NotKept => ({ refused: code });

export type DeliveryRows = ReturnType<typeof deliveryRows>;

/** Deliveries that end. All of it runs inside a transaction. */
function deliveryRows(db: HubDatabase, queues: QueueRows, received: (row: number) => void) {
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
    settle(recipientId: string, conversationId: string, seq: number): void {
      const row = rowAt.get(conversationId, seq);
      if (row === undefined || settle.run(row, recipientId).changes === 0) return;
      queues.shrank(recipientId, conversationId);
      if (empty.run({ row }).changes > 0) received(row);
    },
    /** Drops what waited for somebody in this conversation. */
    forgetIn(recipientId: string, conversationId: string): void {
      for (const row of owedIn.all(recipientId, conversationId)) empty.run({ row });
      queues.emptiedIn(recipientId, conversationId);
    },
  };
}
