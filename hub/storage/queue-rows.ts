import { LIMITS } from "../../app/contract/limits.ts";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import type { HubDatabase } from "./open-database.ts";

export type QueueRows = ReturnType<typeof queueRows>;

/**
 * How many messages wait for each recipient in each conversation, and how many bytes of each agent's:
 * counters in addition to `deliveries`, so that a send never counts rows. Everything here runs in the
 * transaction that changes the deliveries.
 */
export function queueRows(db: HubDatabase) {
  // Looking and counting in one statement: every message pays for it. A full queue changes no row.
  const grow = db.prepare<[string, string]>(
    `INSERT INTO queues (recipient_id, conversation_id, waiting) VALUES (?, ?, 1)
     ON CONFLICT (recipient_id, conversation_id) DO UPDATE SET waiting = waiting + 1
     WHERE waiting < ${UNDELIVERED_AT_MOST}`,
  );
  const addBytes = db.prepare<[string, number]>(
    `INSERT INTO waiting_bytes (sender_id, bytes) VALUES (?, ?)
     ON CONFLICT (sender_id) DO UPDATE SET bytes = bytes + excluded.bytes
     WHERE bytes + excluded.bytes <= ${LIMITS.waitingBytes}`,
  );
  const shrink = db.prepare<[string, string]>(
    "UPDATE queues SET waiting = waiting - 1 WHERE recipient_id = ? AND conversation_id = ?",
  );
  const emptyIn = db.prepare<[string, string]>(
    "DELETE FROM queues WHERE recipient_id = ? AND conversation_id = ?",
  );
  return {
    /** One more for each of them. False, and nothing counted, when the queue of any is full. */
    grew(recipientIds: readonly string[], conversationId: string): boolean {
      const full = recipientIds.findIndex((id) => grow.run(id, conversationId).changes === 0);
      if (full === -1) return true;
      for (const id of recipientIds.slice(0, full)) shrink.run(id, conversationId);
      return false;
    },
    /**
     * So much more of this agent's waits. False, and nothing counted, when that is too much. It goes
     * down with the payloads, by a trigger.
     */
    fits: (senderId: string, bytes: number): boolean => addBytes.run(senderId, bytes).changes > 0,
    shrank: (recipientId: string, conversationId: string): void =>
      void shrink.run(recipientId, conversationId),
    /** Nothing waits any more for this recipient in that conversation. */
    emptiedIn: (recipientId: string, conversationId: string): void =>
      void emptyIn.run(recipientId, conversationId),
  };
}
