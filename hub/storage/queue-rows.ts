import { LIMITS } from "../../app/contract/limits.ts";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import type { NewMessage } from "../hub-records.ts";
import type { HubDatabase } from "./open-database.ts";

export type QueueRows = ReturnType<typeof queueRows>;

/**
 * How many messages wait for each recipient in each conversation, and how many bytes of each agent's:
 * counters in addition to `deliveries`, so that a send never counts rows. Messages that are only in memory
 * are counted there; for the others this runs in the transaction that changes the deliveries.
 */
export function queueRows(db: HubDatabase) {
  const waiting = countRows<[recipientId: string, conversationId: string]>(
    db,
    "SELECT waiting FROM queues WHERE recipient_id = ? AND conversation_id = ?",
    `INSERT INTO queues (recipient_id, conversation_id, waiting) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET waiting = waiting + excluded.waiting`,
  );
  const bytesOf = countRows<[senderId: string]>(
    db,
    "SELECT bytes FROM waiting_bytes WHERE sender_id = ?",
    `INSERT INTO waiting_bytes (sender_id, bytes) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes`,
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
    /** What `grew` counted in memory for these recipients is received, or in the tables. */
    left(recipientIds: Iterable<string>, message: NewMessage, bytes: number): void {
      for (const id of recipientIds) waiting.add(-1, id, message.conversation_id);
      if (bytes > 0) bytesOf.add(-bytes, message.sender_id);
    },
    /** A message that is stored now waits for these recipients. */
    store(recipientIds: Iterable<string>, message: NewMessage, bytes: number): void {
      for (const id of recipientIds) waiting.store(1, id, message.conversation_id);
      if (bytes > 0) bytesOf.store(bytes, message.sender_id);
    },
    /** What was counted in memory is lost. */
    forget(): void {
      waiting.forget();
      bytesOf.forget();
    },
    /** One less of the stored ones for this recipient. The bytes go down with the payloads, by a trigger. */
    shrank: (recipientId: string, conversationId: string): void =>
      waiting.store(-1, recipientId, conversationId),
    /** Nothing waits any more for this recipient in that conversation. */
    emptiedIn: (recipientId: string, conversationId: string): void =>
      void emptyIn.run(recipientId, conversationId),
  };
}

/** A table's numbers, by key, and what is only in memory. */
function countRows<Key extends string[]>(db: HubDatabase, reading: string, adding: string) {
  const read = db.prepare<Key, number>(reading).pluck();
  const save = db.prepare<[...Key, number]>(adding);
  const inMemory = new Map<string, number>();
  return {
    of: (...key: Key): number => (read.get(...key) ?? 0) + (inMemory.get(key.join(" ")) ?? 0),
    add(more: number, ...key: Key): void {
      const id = key.join(" ");
      const sum = (inMemory.get(id) ?? 0) + more;
      if (sum === 0) inMemory.delete(id);
      else inMemory.set(id, sum);
    },
    store: (more: number, ...key: Key): void => void save.run(...key, more),
    forget: (): void => inMemory.clear(),
  };
}
