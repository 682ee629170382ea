import { LIMITS } from "../../app/contract/limits.ts";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import type { HubDatabase } from "./open-database.ts";
import { UnwrittenCounts } from "./unwritten-counts.ts";

export type QueueRows = ReturnType<typeof queueRows>;

/**
 * How many messages wait for each recipient in each conversation, and how many bytes of each agent's:
 * counters in addition to `deliveries`, so that a send never counts rows. For messages that are only in
 * memory the difference is in memory too, until `write`; otherwise this runs in the transaction that
 * changes the deliveries.
 */
export function queueRows(db: HubDatabase) {
  const waiting = new UnwrittenCounts<[recipientId: string, conversationId: string]>(
    db.prepare("SELECT waiting FROM queues WHERE recipient_id = ? AND conversation_id = ?"),
    db.prepare(
      `INSERT INTO queues (recipient_id, conversation_id, waiting) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET waiting = waiting + excluded.waiting`,
    ),
  );
  const bytesOf = new UnwrittenCounts<[senderId: string]>(
    db.prepare("SELECT bytes FROM waiting_bytes WHERE sender_id = ?"),
    db.prepare(
      `INSERT INTO waiting_bytes (sender_id, bytes) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes`,
    ),
  );
  const shrink = db.prepare<[string, string]>(
    "UPDATE queues SET waiting = waiting - 1 WHERE recipient_id = ? AND conversation_id = ?",
  );
  const emptyIn = db.prepare<[string, string]>(
    "DELETE FROM queues WHERE recipient_id = ? AND conversation_id = ?",
  );
  return {
    /**
     * One more for each of them, and so many bytes more of the sender's. False, and nothing counted, when
     * the queue of any is full, or that is too much.
     */
    grew(ids: readonly string[], conversationId: string, senderId = "", bytes = 0): boolean {
      const isFull = (id: string) => waiting.of(id, conversationId) >= UNDELIVERED_AT_MOST;
      if (ids.some(isFull)) return false;
      if (bytes > 0 && bytesOf.of(senderId) + bytes > LIMITS.waitingBytes) return false;
      for (const id of ids) waiting.add(1, id, conversationId);
      if (bytes > 0) bytesOf.add(bytes, senderId);
      return true;
    },
    /** What `grew` counted waits for this recipient no longer. */
    received: (recipientId: string, conversationId: string): void =>
      waiting.add(-1, recipientId, conversationId),
    receivedByAll: (senderId: string, bytes: number): void => bytesOf.add(-bytes, senderId),
    write(): void {
      waiting.write();
      bytesOf.write();
    },
    /** What was counted in memory is written, or will never be. */
    forgetUnwritten(): void {
      waiting.forget();
      bytesOf.forget();
    },
    /** One less for this recipient. The bytes go down with the payloads, by a trigger. */
    shrank: (recipientId: string, conversationId: string): void =>
      void shrink.run(recipientId, conversationId),
    /** Nothing waits any more for this recipient in that conversation. */
    emptiedIn: (recipientId: string, conversationId: string): void =>
      void emptyIn.run(recipientId, conversationId),
  };
}
