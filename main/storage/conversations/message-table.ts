import type { Database, Statement } from "better-sqlite3";
import { LIMITS } from "../../../app/contract/limits.ts";
import { type StoredState, UNREAD_COUNTED } from "./stored-item.ts";

export interface MessageRow {
  readonly number: number;
  readonly conversation_id: string;
  readonly key: string;
  readonly state: StoredState;
  readonly at: number;
  readonly seq: number | null;
  readonly message_id: string | null;
  readonly refusal: string | null;
  readonly sealed: Uint8Array;
}
export type NewRow = Omit<MessageRow, "number" | "refusal">;
/** What becomes known of a message of the person's. */
export type Settled = Pick<MessageRow, "number" | "state" | "seq" | "message_id" | "refusal">;

interface ConversationRow {
  readonly conversation_id: string;
  readonly read_seq: number;
  readonly forgotten_seq: number;
  readonly about: Uint8Array | null;
}

/** The `forgotten_seq` of a conversation that has ended. */
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** The statements of `conversations` and `messages`. Those that write must run within a write. */
export class MessageTable {
  readonly #add: Statement<[NewRow]>;
  readonly byKey: Statement<[string, string], MessageRow>;
  readonly byNumber: Statement<[string, number], MessageRow>;
  /** Newest first. */
  readonly before: Statement<[string, number, number], MessageRow>;
  /** Oldest first. */
  readonly after: Statement<[string, number, number], MessageRow>;
  /** In the order they were written. */
  readonly sending: Statement<[], MessageRow>;
  readonly settle: Statement<[Settled]>;
  readonly #replace: Statement<[Uint8Array, number]>;
  readonly unread: Statement<[string, number], number>;
  readonly conversations: Statement<[], ConversationRow>;
  readonly #one: Statement<[string], ConversationRow>;
  readonly #put: Statement<[ConversationRow]>;
  readonly #empty: Statement<[string]>;
  readonly #weigh: Statement<[string, string, number]>;
  readonly #weight: Statement<[string], number>;
  readonly #lift: Statement<[string]>;
  readonly #lastSeq: Statement<[string], number | null>;

  constructor(db: Database) {
    // Messages are shown in the order of `at`, which always agrees with the order of their numbers.
    this.#add = db.prepare(
      `INSERT INTO messages (conversation_id, key, state, at, seq, message_id, sealed)
       VALUES (@conversation_id, @key, @state, max(@at, ifnull((SELECT at FROM messages
         WHERE conversation_id = @conversation_id ORDER BY number DESC LIMIT 1), 0)),
         @seq, @message_id, @sealed)`,
    );
    this.byKey = db.prepare("SELECT * FROM messages WHERE conversation_id = ? AND key = ?");
    this.byNumber = db.prepare("SELECT * FROM messages WHERE conversation_id = ? AND number = ?");
    this.before = db.prepare(
      `SELECT * FROM messages WHERE conversation_id = ? AND number < ?
       ORDER BY number DESC LIMIT ?`,
    );
    this.after = db.prepare(
      "SELECT * FROM messages WHERE conversation_id = ? AND number > ? ORDER BY number LIMIT ?",
    );
    this.sending = db.prepare("SELECT * FROM messages WHERE state = 'sending' ORDER BY number");
    this.settle = db.prepare(
      `UPDATE messages SET state = @state, seq = @seq, message_id = @message_id, refusal = @refusal
       WHERE number = @number`,
    );
    this.#replace = db.prepare("UPDATE messages SET sealed = ? WHERE number = ?");
    this.unread = db
      .prepare<[string, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM messages
         WHERE conversation_id = ? AND state = 'received' AND seq > ? LIMIT ${UNREAD_COUNTED})`,
      )
      .pluck();
    this.conversations = db.prepare(
      `SELECT * FROM conversations WHERE forgotten_seq < ${EVERYTHING}`,
    );
    this.#one = db.prepare("SELECT * FROM conversations WHERE conversation_id = ?");
    this.#put = db.prepare(
      `INSERT INTO conversations VALUES (@conversation_id, @read_seq, @forgotten_seq, @about)
       ON CONFLICT (conversation_id) DO UPDATE SET read_seq = excluded.read_seq,
         forgotten_seq = excluded.forgotten_seq, about = excluded.about`,
    );
    this.#empty = db.prepare("DELETE FROM messages WHERE conversation_id = ?");
    this.#weigh = db.prepare(
      `INSERT INTO kept_bytes VALUES (?, ?, ?)
       ON CONFLICT (sender_id, conversation_id) DO UPDATE SET bytes = bytes + excluded.bytes`,
    );
    this.#weight = db
      .prepare<[string], number>("SELECT ifnull(sum(bytes), 0) FROM kept_bytes WHERE sender_id = ?")
      .pluck();
    this.#lift = db.prepare("DELETE FROM kept_bytes WHERE conversation_id = ?");
    this.#lastSeq = db
      .prepare<[string], number | null>(
        "SELECT max(seq) FROM messages WHERE conversation_id = ? AND state = 'received'",
      )
      .pluck();
  }

  add(row: NewRow): MessageRow | undefined {
    this.#add.run(row);
    return this.byKey.get(row.conversation_id, row.key);
  }

  /** Adds a received message, with its sender. */
  addReceived(row: NewRow, senderId: string): MessageRow | undefined {
    const bytes = row.sealed.length + LIMITS.messageOverheadBytes;
    this.#weigh.run(senderId, row.conversation_id, bytes);
    return this.add(row);
  }

  /** What was received has changed. */
  replace(row: MessageRow, sealed: Uint8Array, senderId: string): MessageRow {
    this.#replace.run(sealed, row.number);
    this.#weigh.run(senderId, row.conversation_id, sealed.length - row.sealed.length);
    return { ...row, sealed };
  }

  /** Bytes of all messages from this sender, including an overhead for each. */
  keptBytes(senderId: string): number {
    return this.#weight.get(senderId) ?? 0;
  }

  conversation(conversationId: string): ConversationRow {
    return (
      this.#one.get(conversationId) ?? {
        conversation_id: conversationId,
        read_seq: 0,
        forgotten_seq: 0,
        about: null,
      }
    );
  }

  change(conversationId: string, change: Partial<ConversationRow>): void {
    this.#put.run({ ...this.conversation(conversationId), ...change });
  }

  /** Deletes its messages, and remembers which must not be stored again. */
  empty(conversationId: string): void {
    const { forgotten_seq } = this.conversation(conversationId);
    const last = this.#lastSeq.get(conversationId) ?? 0;
    this.change(conversationId, { forgotten_seq: Math.max(forgotten_seq, last) });
    this.#clear(conversationId);
  }

  /** Deletes its messages and accepts no more, because some may still be on their way. */
  drop(conversationId: string): void {
    this.#clear(conversationId);
    this.change(conversationId, { read_seq: 0, forgotten_seq: EVERYTHING, about: null });
  }

  reopen(conversationId: string): void {
    if (this.isDropped(conversationId)) this.change(conversationId, { forgotten_seq: 0 });
  }

  isDropped(conversationId: string): boolean {
    return this.conversation(conversationId).forgotten_seq === EVERYTHING;
  }

  #clear(conversationId: string): void {
    this.#empty.run(conversationId);
    this.#lift.run(conversationId);
  }
}
