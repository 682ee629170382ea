import { type Delivery, type OutboundFrame, Outbox } from "./outbox.ts";

/** A message before it is sealed. */
export interface UnsealedMessage extends Omit<OutboundFrame, "encrypted_payload"> {
  readonly plaintext: Uint8Array;
  /** The call that it makes, answers or cancels; null for anything else. */
  readonly call_id: string | null;
}

export interface Sealer {
  /** @returns what seals it; calling that fixes its place among the conversation's messages */
  prepare(message: UnsealedMessage): Promise<() => Promise<string>>;
  /** Why a message could not be sealed. */
  codeOf(error: unknown): string;
}

type Sealed = { readonly envelope: string } | { readonly code: string };

/** Empty: it was dropped before. */
interface Begun {
  readonly sealed?: Promise<Sealed>;
}

/** A message that is being sealed. */
interface Entry {
  readonly delivery: Delivery;
  isDropped: boolean;
}

/** The last message of a conversation. */
interface Turn {
  readonly begun: Promise<unknown>;
  readonly left: Promise<void>;
}

/** Seals each conversation's messages, and posts them, in order. */
export class SealedOutbox extends Outbox {
  readonly #sealer: Sealer;
  readonly #turns = new Map<string, Turn>();
  readonly #sealing = new Map<string, Entry>();
  #isClosed = false;

  constructor(sealer: Sealer, ...outbox: ConstructorParameters<typeof Outbox>) {
    super(...outbox);
    this.#sealer = sealer;
  }

  /**
   * Seals it after the earlier ones, without waiting until they are sealed.
   * @param delivery also gets the code if the message could not be sealed
   * @param mayLeave false: it is dropped without a report
   */
  seal(id: string, message: UnsealedMessage, delivery: Delivery, mayLeave?: Promise<boolean>) {
    const { conversation_id } = message;
    const entry = { delivery, isDropped: this.#isClosed };
    this.#sealing.set(id, entry);
    const before = this.#turns.get(conversation_id);
    const begun = (before?.begun ?? Promise.resolve()).then(() => this.#begin(message, entry));
    const left = this.#leave(id, message, entry, begun, before?.left, mayLeave);
    const turn = { begun, left };
    this.#turns.set(conversation_id, turn);
    void left.then(() => {
      if (this.#turns.get(conversation_id) === turn) this.#turns.delete(conversation_id);
    });
  }

  override withdraw(id: string): boolean {
    const entry = this.#sealing.get(id);
    if (entry === undefined) return super.withdraw(id);
    entry.isDropped = true;
    return false;
  }

  override refuseAll(code: string): void {
    for (const entry of [...this.#sealing.values()]) {
      if (entry.isDropped) continue;
      entry.isDropped = true;
      entry.delivery.refused(code, {});
    }
    super.refuseAll(code);
  }

  /** Shutdown: seals nothing more, and reports no failure for what is not sealed yet. */
  close(): void {
    this.#isClosed = true;
    for (const entry of this.#sealing.values()) entry.isDropped = true;
  }

  /** `undefined` when nothing is being sealed; else resolves when it has been sent. */
  settled(): Promise<unknown> | undefined {
    if (this.#sealing.size === 0) return undefined;
    return Promise.all([...this.#turns.values()].map(({ left }) => left));
  }

  async #begin(message: UnsealedMessage, entry: Entry): Promise<Begun> {
    if (entry.isDropped) return {};
    const failed = (error: unknown) => ({ code: this.#sealer.codeOf(error) });
    try {
      const seal = await this.#sealer.prepare(message);
      if (entry.isDropped) return {};
      return { sealed: seal().then((envelope) => ({ envelope }), failed) };
    } catch (error) {
      return { sealed: Promise.resolve(failed(error)) };
    }
  }

  async #leave(
    id: string,
    { plaintext: _, call_id: __, ...frame }: UnsealedMessage,
    entry: Entry,
    begun: Promise<Begun>,
    before: Promise<void> | undefined,
    mayLeave: Promise<boolean> | undefined,
  ): Promise<void> {
    const sealed = await (await begun).sealed;
    await before;
    if (mayLeave !== undefined && !(await mayLeave)) entry.isDropped = true;
    if (this.#sealing.get(id) === entry) this.#sealing.delete(id);
    if (entry.isDropped || sealed === undefined) return;
    if ("code" in sealed) entry.delivery.refused(sealed.code, {});
    else this.post(id, { ...frame, encrypted_payload: sealed.envelope }, entry.delivery);
  }
}
