import type { Database } from "better-sqlite3";
import type { ArtifactChange } from "../../../app/contract/artifacts/artifact.ts";
import { revise } from "../../../app/contract/artifacts/revise.ts";
import type { GroupCommit } from "../group-commit.ts";
import { type MessageRow, MessageTable, type Settled } from "./message-table.ts";
import {
  type About,
  type Content,
  type ContentSeal,
  type ConversationState,
  contentSeal,
  type FormerMessage,
  type MessageContent,
  type NoteContent,
  type OwnMessage,
  type ReceivedMessage,
  type StoredItem,
  type VoiceContent,
} from "./stored-item.ts";

/** Promises resolve once durable and reject with StoreError. */
export type ConversationStore = Pick<StoredConversations, keyof StoredConversations>;

const OWN = "own:";

export class StoredConversations {
  readonly #group: GroupCommit;
  readonly #table: MessageTable;
  readonly #seal: ContentSeal;
  /** Cached until it changes: lists are drawn far more often than written. */
  readonly #states = new Map<string, ConversationState>();

  /** @param key 32 bytes, used for conversations only */
  constructor(
    group: GroupCommit,
    db: Database,
    key: Uint8Array,
    random: (bytes: number) => Uint8Array,
  ) {
    this.#group = group;
    this.#table = new MessageTable(db);
    this.#seal = contentSeal(key, random);
  }

  /** Every conversation that anything is stored about. */
  ids(): readonly string[] {
    return this.#table.conversations.all().map(({ conversation_id }) => conversation_id);
  }

  state(id: string): ConversationState {
    const known = this.#states.get(id) ?? this.#readState(id);
    this.#states.set(id, known);
    return known;
  }

  #readState(id: string): ConversationState {
    const { read_seq, about } = this.#table.conversation(id);
    return {
      read_seq,
      // Sealed by this class for this row, so the type is known.
      about: about && ((this.#seal.open(about, [id]) ?? null) as About | null),
      unread: this.#table.unread.get(id, read_seq) ?? 0,
      newest: this.before(id, Number.MAX_SAFE_INTEGER, 1)[0] ?? null,
    };
  }

  /**
   * Null: it is already stored, or was deleted. An artifact whose id its sender has used before is
   * stored as data.
   */
  receive({ conversation_id, seq, message_id, at, content }: ReceivedMessage) {
    return this.#write(conversation_id, (table) => {
      const { forgotten_seq } = table.conversation(conversation_id);
      const numbered = `seq:${seq}`;
      const isKnown = (each: string) => table.byKey.get(conversation_id, each)?.seq === seq;
      const named = this.#artifactKey(conversation_id, content);
      if (seq <= forgotten_seq || isKnown(numbered) || isKnown(named ?? "")) return undefined;
      const isFirst = named !== null && table.byKey.get(conversation_id, named) === undefined;
      const key = isFirst ? named : numbered;
      const kept = isFirst ? content : asData(content);
      const sealed = this.#seal.seal(kept, [conversation_id, key]);
      table.change(conversation_id, {});
      const row = { conversation_id, key, state: "received", at, seq, message_id, sealed } as const;
      return table.addReceived(row, content.sender_id);
    });
  }

  /** Null: there is no such artifact of this sender. */
  revise(id: string, sender_id: string, artifactId: string, change: ArtifactChange) {
    const key = this.#keyOf(id, sender_id, artifactId);
    return this.#write(id, (table) => {
      const row = table.byKey.get(id, key);
      if (row === undefined) return undefined;
      const { content } = this.#opened(row);
      if (content?.kind !== "artifact") return undefined;
      const { state } = revise(content.state, change);
      if (state === content.state) return row;
      const sealed = this.#seal.seal({ ...content, state } satisfies Content, [id, key]);
      return table.replace(row, sealed, sender_id);
    });
  }

  /**
   * Stores the message as `sending`. If the id is taken, the first message stays; one that was
   * refused becomes `sending` again.
   */
  async send({ conversation_id, client_message_id, at, content }: OwnMessage) {
    const key = OWN + client_message_id;
    const sealed = this.#seal.seal(content, [conversation_id, key]);
    const added = await this.#write(conversation_id, (table) => {
      const known = table.byKey.get(conversation_id, key);
      if (known?.state === "refused")
        table.settle.run({ ...known, state: "sending", refusal: null });
      if (known !== undefined) return table.byKey.get(conversation_id, key);
      table.change(conversation_id, {});
      const unsent = { seq: null, message_id: null };
      return table.add({ conversation_id, key, state: "sending", at, ...unsent, sealed });
    });
    return present(added);
  }

  /** Null: it no longer exists. */
  sent(
    id: string,
    clientMessageId: string,
    { message_id, conversation_seq }: { message_id: string; conversation_seq: number },
  ) {
    const now = { state: "sent", seq: conversation_seq, message_id, refusal: null } as const;
    return this.#settle(id, clientMessageId, now);
  }

  refused(id: string, clientMessageId: string, code: string) {
    const now = { state: "refused", seq: null, message_id: null, refusal: code } as const;
    return this.#settle(id, clientMessageId, now);
  }

  async note(conversation_id: string, id: string, at: number, note: NoteContent) {
    const key = `note:${id}`;
    const sealed = this.#seal.seal(note, [conversation_id, key]);
    const added = await this.#write(conversation_id, (table) => {
      table.change(conversation_id, {});
      const none = { seq: null, message_id: null };
      return table.add({ conversation_id, key, state: "note", at, ...none, sealed });
    });
    return present(added);
  }

  /** Messages that the hub has not answered, in the order they were written. */
  sending(): readonly StoredItem[] {
    return this.#table.sending.all().map((row) => this.#opened(row));
  }

  /** Newest first, below this number. */
  before(id: string, number: number, limit: number): readonly StoredItem[] {
    return this.#table.before.all(id, number, limit).map((row) => this.#opened(row));
  }

  /** Oldest first, above this number. */
  after(id: string, number: number, limit: number): readonly StoredItem[] {
    return this.#table.after.all(id, number, limit).map((row) => this.#opened(row));
  }

  /**
   * Stores messages of an imported file, each once and oldest first. Their conversation is not listed
   * before it is described.
   */
  async takeFormer(messages: readonly FormerMessage[]): Promise<void> {
    await this.#group.enqueue(() => {
      for (const { conversation_id, number, state, at, content } of messages) {
        const key = `former:${number}`;
        if (this.#table.byKey.get(conversation_id, key) !== undefined) continue;
        const sealed = this.#seal.seal(content, [conversation_id, key]);
        this.#table.add({ conversation_id, key, state, at, seq: null, message_id: null, sealed });
      }
    });
    for (const { conversation_id } of messages) this.#states.delete(conversation_id);
  }

  item(id: string, number: number): StoredItem | null {
    const row = this.#table.byNumber.get(id, number);
    return row === undefined ? null : this.#opened(row);
  }

  /** A message of the person's; null: there is none. */
  own(id: string, clientMessageId: string): StoredItem | null {
    const row = this.#table.byKey.get(id, OWN + clientMessageId);
    return row === undefined ? null : this.#opened(row);
  }

  /** It never decreases. */
  async markRead(id: string, seq: number): Promise<void> {
    await this.#change(id, (table) => {
      table.change(id, { read_seq: Math.max(seq, table.conversation(id).read_seq) });
    });
  }

  /** Bytes of all stored messages from this sender, including an overhead for each. */
  keptBytes(senderId: string): number {
    return this.#table.keptBytes(senderId);
  }

  /** Null: nothing is stored about it. */
  async describe(id: string, about: About | null): Promise<void> {
    const sealed = about && this.#seal.seal(about, [id]);
    await this.#change(id, (table) => table.change(id, { about: sealed }));
  }

  /** Deletes its history permanently. */
  async empty(id: string): Promise<void> {
    await this.#change(id, (table) => table.empty(id));
  }

  /** Also deletes everything else about it; it accepts no more messages. */
  async drop(id: string): Promise<void> {
    await this.#change(id, (table) => table.drop(id));
  }

  /** Allows messages again in a conversation that was dropped. */
  async reopen(id: string): Promise<void> {
    if (this.#table.isDropped(id)) await this.#change(id, (table) => table.reopen(id));
  }

  #artifactKey(id: string, content: ReceivedMessage["content"]): string | null {
    if (content.kind !== "artifact") return null;
    return this.#keyOf(id, content.sender_id, content.state.artifact_id);
  }

  #keyOf(id: string, senderId: string, artifactId: string): string {
    return `artifact:${this.#seal.alias([id, senderId, artifactId])}`;
  }

  #settle(
    id: string,
    clientMessageId: string,
    now: Omit<Settled, "number">,
  ): Promise<StoredItem | null> {
    const key = OWN + clientMessageId;
    return this.#write(id, (table) => {
      const row = table.byKey.get(id, key);
      if (row !== undefined) table.settle.run({ number: row.number, ...now });
      return table.byKey.get(id, key);
    });
  }

  async #change<T>(id: string, write: (table: MessageTable) => T): Promise<T> {
    const written = await this.#group.enqueue(() => write(this.#table));
    this.#states.delete(id);
    return written;
  }

  async #write(
    id: string,
    write: (table: MessageTable) => MessageRow | undefined,
  ): Promise<StoredItem | null> {
    const row = await this.#change(id, write);
    return row === undefined ? null : this.#opened(row);
  }

  #opened({ key, sealed, ...row }: MessageRow): StoredItem {
    const content = this.#seal.open(sealed, [row.conversation_id, key]);
    return {
      ...row,
      client_message_id: key.startsWith(OWN) ? key.slice(OWN.length) : null,
      // Sealed by this class for this row, so the type is known.
      content: (content ?? null) as Content | null,
    };
  }
}

const asData = (content: ReceivedMessage["content"]): MessageContent | VoiceContent => {
  if (content.kind !== "artifact") return content;
  const { sender_id, state } = content;
  const { artifact_id, title, blocks } = state;
  const text = JSON.stringify({ artifact_id, ...(title !== null && { title }), blocks });
  return { kind: "message", sender_id, content: "artifact", text };
};

function present(item: StoredItem | null): StoredItem {
  if (item === null) throw new TypeError("a row that was just written is not there");
  return item;
}
