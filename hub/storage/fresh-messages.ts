import type { Kept, NewMessage } from "../hub-records.ts";
import type { Held, Unwritten } from "./group-commit.ts";
import type { HubDatabase } from "./open-database.ts";
import type { QueueRows } from "./queue-rows.ts";

/** What becomes of an accepted message, for `Kept`. */
export type Accepted = Pick<Kept, "receipt" | "deliveries"> & { readonly safe: Promise<void> };

/** An accepted message that is not committed yet. */
interface FreshMessage extends Held {
  readonly message: NewMessage;
  readonly accepted: Accepted;
  /** What a resend has in common with it. */
  readonly sentAs: string;
  /** Who has not received it yet: recipients, and the ids of their deliveries. */
  readonly owed: Map<string, number>;
  /** What it counts for until everybody has received it. */
  readonly bytes: number;
  /** No commit has passed it by. */
  isNew: boolean;
}

/**
 * The messages of the last moment. Most are received before they have to be stored, so they are only in
 * memory until then: the first commit passes by what somebody has yet to receive. One that everybody has
 * received is stored without its payload, to recognize a resend.
 */
export class FreshMessages implements Unwritten {
  readonly #rows;
  readonly #queues: QueueRows;
  /** By conversation and number, in the order of acceptance. */
  readonly #unwritten = new Map<string, FreshMessage>();
  /** Those in the open transaction. */
  readonly #written = new Map<string, FreshMessage>();
  /** All of both, by what a resend has in common with them. */
  readonly #sent = new Map<string, FreshMessage>();
  /**
   * The last number of each conversation in which one was given since the last commit. After a loss they
   * stay until they are committed, so that no number is given twice.
   */
  readonly #numbers = new Map<string, number>();
  #lastDelivery: number;
  #numbersAreWritten = true;

  constructor(db: HubDatabase, queues: QueueRows) {
    this.#rows = messageRows(db);
    this.#queues = queues;
    this.#lastDelivery = this.#rows.lastDelivery();
  }

  get size(): number {
    return this.#unwritten.size;
  }

  /** What became of this message, if it is a resend of one of these. */
  find(message: NewMessage): Accepted | undefined {
    return this.#sent.get(sentAs(message))?.accepted;
  }

  /** @returns undefined when a recipient's queue is full, or so much of the sender's waits already */
  keep(message: NewMessage, recipients: readonly string[], bytes: number) {
    const { conversation_id, sender_id } = message;
    if (!this.#queues.grew(recipients, conversation_id, sender_id, bytes)) return undefined;
    const conversation_seq = this.#nextNumber(conversation_id);
    const deliveries = recipients.map((recipient_id) => this.#delivery(recipient_id));
    const fresh = freshMessage(message, conversation_seq, deliveries, bytes);
    this.#unwritten.set(placeOf(conversation_id, conversation_seq), fresh);
    this.#sent.set(fresh.sentAs, fresh);
    return fresh.accepted;
  }

  #nextNumber(conversationId: string): number {
    const last = this.#numbers.get(conversationId) ?? this.#rows.lastNumber(conversationId);
    this.#numbers.set(conversationId, last + 1);
    this.#numbersAreWritten = false;
    return last + 1;
  }

  #delivery(recipient_id: string) {
    this.#lastDelivery += 1;
    return { recipient_id, delivery_id: this.#lastDelivery };
  }

  /** @returns false when the message is not here, but perhaps in the tables */
  received(recipientId: string, conversationId: string, seq: number): boolean {
    const fresh = this.#unwritten.get(placeOf(conversationId, seq));
    if (fresh === undefined) return false;
    const { owed, message, bytes } = fresh;
    if (!owed.delete(recipientId)) return true;
    const isLast = owed.size === 0;
    this.#queues.left([recipientId], message, isLast ? bytes : 0);
    if (isLast) fresh.resolve();
    return true;
  }

  /** Everybody has received a message that was in the tables already. */
  receivedByAll(conversationId: string, seq: number): void {
    this.#written.get(placeOf(conversationId, seq))?.resolve();
  }

  write(): void {
    this.#write([...this.#unwritten]);
  }

  writeDue(): void {
    const due = [...this.#unwritten].filter(([, fresh]) => fresh.owed.size === 0 || !fresh.isNew);
    this.#write(due);
    for (const fresh of this.#unwritten.values()) fresh.isNew = false;
  }

  #write(messages: readonly (readonly [place: string, FreshMessage])[]): void {
    for (const [, fresh] of messages) {
      this.#rows.insert(fresh);
      this.#queues.store(fresh.owed.keys(), fresh.message, owedBytes(fresh));
    }
    if (!this.#numbersAreWritten) {
      for (const [id, last] of this.#numbers) this.#rows.setLastNumber(id, last);
    }
    this.#numbersAreWritten = true;
    for (const [place, fresh] of messages) {
      this.#unwritten.delete(place);
      this.#written.set(place, fresh);
      this.#queues.left(fresh.owed.keys(), fresh.message, owedBytes(fresh));
    }
  }

  committed(): void {
    this.#numbers.clear();
    for (const { sentAs, resolve } of this.#written.values()) {
      this.#sent.delete(sentAs);
      resolve();
    }
    this.#written.clear();
  }

  lost(reason: unknown): void {
    for (const { reject } of this.#sent.values()) reject(reason);
    this.#queues.forget();
    this.#unwritten.clear();
    this.#written.clear();
    this.#sent.clear();
    this.#numbersAreWritten = this.#numbers.size === 0;
  }
}

const owedBytes = ({ owed, bytes }: FreshMessage): number => (owed.size > 0 ? bytes : 0);
// An id that the hub gave contains no space.
const placeOf = (conversationId: string, seq: number): string => `${conversationId} ${seq}`;
/** Equal when the database takes them for equal: it stores no half of a surrogate pair. */
const sentAs = ({ sender_id, client_message_id }: NewMessage): string =>
  `${sender_id} ${client_message_id.toWellFormed()}`;

function freshMessage(
  message: NewMessage,
  conversation_seq: number,
  deliveries: Kept["deliveries"],
  bytes: number,
): FreshMessage {
  const { message_id, conversation_id } = message;
  const { promise: safe, resolve, reject } = Promise.withResolvers<void>();
  // Whoever does not wait for it need not handle it.
  safe.catch(() => undefined);
  const receipt = { message_id, conversation_id, conversation_seq };
  const owed = new Map(deliveries.map((each) => [each.recipient_id, each.delivery_id]));
  const accepted = { receipt, deliveries, safe };
  return { message, accepted, sentAs: sentAs(message), owed, bytes, isNew: true, resolve, reject };
}

function messageRows(db: HubDatabase) {
  const insert = db.prepare<[NewMessage & { conversation_seq: number; kept: string | null }]>(
    `INSERT INTO messages (message_id, conversation_id, conversation_seq, sender_id, sender_type,
       client_message_id, content_type, msg_subtype, payload, created_at)
     VALUES (@message_id, @conversation_id, @conversation_seq, @sender_id, @sender_type,
       @client_message_id, @content_type, @msg_subtype, @kept, @created_at)`,
  );
  const owe = db.prepare<[number, string, number | bigint]>(
    "INSERT INTO deliveries (delivery_id, recipient_id, message_row) VALUES (?, ?, ?)",
  );
  const lastNumber = db
    .prepare<[string], number>("SELECT last_seq FROM conversations WHERE conversation_id = ?")
    .pluck();
  const setLastNumber = db.prepare<[number, string]>(
    "UPDATE conversations SET last_seq = ? WHERE conversation_id = ?",
  );
  const lastDelivery = db
    .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'")
    .pluck();
  return {
    insert({ message, accepted, owed }: FreshMessage): void {
      const { conversation_seq } = accepted.receipt;
      const kept = owed.size > 0 ? message.payload : null;
      const row = insert.run({ ...message, conversation_seq, kept }).lastInsertRowid;
      for (const [recipientId, deliveryId] of owed) owe.run(deliveryId, recipientId, row);
    },
    lastNumber: (conversationId: string): number => lastNumber.get(conversationId) ?? 0,
    setLastNumber: (conversationId: string, last: number): void =>
      void setLastNumber.run(last, conversationId),
    lastDelivery: (): number => lastDelivery.get() ?? 0,
  };
}
