import type { HubDatabase } from "./open-database.ts";
import { type QueueStore, queueStore } from "./queue-store.ts";

export interface NewMessage {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly sender_id: string;
  readonly sender_type: "human" | "agent";
  readonly client_message_id: string;
  readonly content_type: "text" | "artifact";
  readonly msg_subtype: string | null;
  /** The sealed envelope, base64. */
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

export interface MessageReceipt {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly conversation_seq: number;
}

export interface Kept extends MessageReceipt {
  /** Empty when the message was already there: nothing is delivered twice for a resend. */
  readonly deliveries: readonly { readonly recipient_id: string; readonly delivery_id: number }[];
}

/** Asked, and told, about a message that is not known yet. */
export interface Admission {
  /** What the message counts for where its sender is limited. */
  readonly bytes: number;
  /** `undefined` lets the message in. */
  refusal(): NotKept | undefined;
  /** The message is kept. */
  count(): void;
}

export type NotKept =
  | { readonly refused: "RECIPIENT_QUEUE_FULL" | "HISTORY_FULL" }
  | { readonly refused: "RATE_LIMITED"; readonly retryAfterMs: number };

export interface Undelivered extends Omit<NewMessage, "client_message_id"> {
  readonly delivery_id: number;
  readonly conversation_seq: number;
  readonly conversation_type: "h2a" | "group";
}

export interface MessageStore {
  /**
   * Must run inside a transaction. A resend is always taken; anything else is refused over the
   * sender's limits, and when the queue of any recipient is full.
   */
  keep(message: NewMessage, recipients: readonly string[], admission?: Admission): Kept | NotKept;
  /** Must run inside a transaction. */
  received(recipientId: string, conversationId: string, seq: number): void;
  /**
   * In the order of acceptance, which is `conversation_seq` order within each conversation. What
   * waits for an agent whose relation is suspended is held back until it is restored.
   */
  undelivered(recipientId: string, afterDelivery: number, limit: number): readonly Undelivered[];
  /** Must run inside a transaction. Drops what waited for an agent in this person's conversations. */
  forgetRecipient(recipientId: string, ownerId: string): void;
  /** Must run inside a transaction. Drops what waited for somebody in this conversation. */
  forgetIn(recipientId: string, conversationId: string): void;
  /** Deletes rows whose payload is gone and that were made before (ms since the epoch). */
  prune(before: number): void;
}

/** Of a delivery `d` in a conversation `c`: its recipient is a person, or an agent that may hear. */
export const NOT_SUSPENDED = `NOT EXISTS (SELECT 1 FROM relations r
  WHERE r.agent_id = d.recipient_id AND r.user_id = c.owner_id AND r.status = 'suspended')`;

export function messageStore(db: HubDatabase): MessageStore {
  const queues = queueStore(db);
  const known = db.prepare<[string, string], MessageReceipt>(
    `SELECT message_id, conversation_id, conversation_seq FROM messages
     WHERE sender_id = ? AND client_message_id = ?`,
  );
  const nextSeq = db.prepare<[string], { last_seq: number }>(
    "UPDATE conversations SET last_seq = last_seq + 1 WHERE conversation_id = ? RETURNING last_seq",
  );
  const insert = db.prepare<[NewMessage & { conversation_seq: number }]>(
    `INSERT INTO messages (message_id, conversation_id, conversation_seq, sender_id, sender_type,
       client_message_id, content_type, msg_subtype, payload, created_at)
     VALUES (@message_id, @conversation_id, @conversation_seq, @sender_id, @sender_type,
       @client_message_id, @content_type, @msg_subtype, @payload, @created_at)`,
  );
  const owe = db.prepare<[string, number | bigint]>(
    "INSERT INTO deliveries (recipient_id, message_row) VALUES (?, ?)",
  );

  function keep(
    message: NewMessage,
    recipients: readonly string[],
    admission?: Admission,
  ): Kept | NotKept {
    const before = known.get(message.sender_id, message.client_message_id);
    if (before !== undefined) return { ...before, deliveries: [] };
    const refusal = admission?.refusal();
    if (refusal !== undefined) return refusal;
    const { message_id, conversation_id, sender_id } = message;
    const fits = admission === undefined || queues.fits(sender_id, admission.bytes);
    if (!fits) return { refused: "RECIPIENT_QUEUE_FULL" };
    if (!queues.grew(recipients, conversation_id)) {
      if (admission !== undefined) queues.fits(sender_id, -admission.bytes);
      return { refused: "RECIPIENT_QUEUE_FULL" };
    }
    const conversation_seq = nextSeq.get(conversation_id)?.last_seq;
    if (conversation_seq === undefined) throw new RangeError("no such conversation");
    const { lastInsertRowid } = insert.run({ ...message, conversation_seq });
    const deliveries = recipients.map((recipient_id) => ({
      recipient_id,
      delivery_id: Number(owe.run(recipient_id, lastInsertRowid).lastInsertRowid),
    }));
    admission?.count();
    return { message_id, conversation_id, conversation_seq, deliveries };
  }

  return { keep, ...deliveryStatements(db, queues) };
}

function deliveryStatements(db: HubDatabase, queues: QueueStore): Omit<MessageStore, "keep"> {
  const rowAt = db.prepare<[string, number], { message_row: number }>(
    "SELECT message_row FROM messages WHERE conversation_id = ? AND conversation_seq = ?",
  );
  const settle = db.prepare<[number, string]>(
    "DELETE FROM deliveries WHERE message_row = ? AND recipient_id = ?",
  );
  const owed = db.prepare<[string, string], { message_row: number }>(
    `DELETE FROM deliveries WHERE recipient_id = ? AND message_row IN (
       SELECT message_row FROM messages JOIN conversations USING (conversation_id) WHERE owner_id = ?)
     RETURNING message_row`,
  );
  const owedIn = db.prepare<[string, string], { message_row: number }>(
    `DELETE FROM deliveries WHERE recipient_id = ? AND message_row IN (
       SELECT message_row FROM messages WHERE conversation_id = ?)
     RETURNING message_row`,
  );
  // Once nobody waits for it, the envelope goes; the row stays to recognise a resend.
  const empty = db.prepare<[{ row: number }]>(
    `UPDATE messages SET payload = NULL WHERE message_row = @row
     AND NOT EXISTS (SELECT 1 FROM deliveries WHERE message_row = @row)`,
  );
  const page = db.prepare<[string, number, number], Undelivered>(
    `SELECT d.delivery_id, m.message_id, m.conversation_id, m.conversation_seq,
       c.type AS conversation_type, m.sender_id, m.sender_type, m.content_type, m.msg_subtype,
       m.payload, m.created_at
     FROM deliveries d JOIN messages m USING (message_row) JOIN conversations c USING (conversation_id)
     WHERE d.recipient_id = ? AND d.delivery_id > ? AND ${NOT_SUSPENDED}
     ORDER BY d.delivery_id LIMIT ?`,
  );
  const prune = db.prepare<[number]>(
    "DELETE FROM messages WHERE payload IS NULL AND created_at < ?",
  );
  return {
    received(recipientId, conversationId, seq) {
      const row = rowAt.get(conversationId, seq)?.message_row;
      if (row === undefined || settle.run(row, recipientId).changes === 0) return;
      queues.shrank(recipientId, conversationId);
      empty.run({ row });
    },
    undelivered: (recipientId, after, limit) => page.all(recipientId, after, limit),
    forgetRecipient(recipientId, ownerId) {
      for (const { message_row } of owed.all(recipientId, ownerId)) empty.run({ row: message_row });
      queues.emptied(recipientId, ownerId);
    },
    forgetIn(recipientId, conversationId) {
      const rows = owedIn.all(recipientId, conversationId);
      for (const { message_row } of rows) empty.run({ row: message_row });
      queues.emptiedIn(recipientId, conversationId);
    },
    prune(before) {
      prune.run(before);
      // What was pruned or emptied must not live on in the write-ahead log.
      db.pragma("wal_checkpoint(TRUNCATE)");
    },
  };
}
