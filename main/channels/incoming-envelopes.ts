import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import {
  type MessageSealing,
  messageKind,
  type OpenedMessage,
  sealingError,
} from "../../app/protocol/v1/message-sealing.ts";

export interface EnvelopePorts {
  readonly sealing: Pick<MessageSealing, "open">;
  /** Resolves when an agent's keys are known or cannot be fetched. Never rejects. */
  keysKnown(agentId: string): Promise<void>;
}

/** The result for an envelope: opened, already handled, put off, or refused. */
type Incoming =
  | { readonly kind: "opened"; readonly message: OpenedMessage }
  | { readonly kind: "known" }
  | { readonly kind: "postponed" }
  | { readonly kind: "refused"; readonly code: string };

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/**
 * Opens envelopes in the order they arrived. Those of a sender whose key has changed wait until the
 * person accepts it, in order (docs/encryption.md, "A key that changed"). Those behind one that must be
 * opened again wait for it, or it would be refused as held back by the hub.
 */
export class IncomingEnvelopes {
  readonly #ports: EnvelopePorts;
  /** By sender. */
  readonly #gates = new Map<string, Gate>();
  /** Messages that must be opened again, by conversation and sender, then by number. */
  readonly #heldUp = new Map<string, Map<number, Gate>>();

  constructor(ports: EnvelopePorts) {
    this.#ports = ports;
  }

  async open(frame: MessageNewFrame): Promise<Incoming> {
    const { conversation_id, conversation_type, sender_id, encrypted_payload } = frame;
    const { sealing, keysKnown } = this.#ports;
    // The relation decides how it is encrypted.
    if (conversation_type === "h2a") await keysKnown(sender_id);
    for (;;) {
      const gate = this.#gates.get(sender_id) ?? this.#ahead(frame);
      if (gate !== undefined) {
        await gate.opened;
        continue;
      }
      try {
        // Not awaited: a call's intent, or the text itself, is stored after it in the same database.
        const awaited = false;
        const context = { conversation_id, sender_id, kind: messageKind(frame), awaited };
        const message = await sealing.open(encrypted_payload, context);
        this.letPass(frame);
        return { kind: "opened", message };
      } catch (error) {
        const code = sealingError.is(error) ? error.code : "internal_error";
        if (code === "key_changed") this.#close(sender_id);
        else return this.#unopened(frame, code);
      }
    }
  }

  /** The person has accepted this sender's key. */
  release(senderId: string): void {
    const gate = this.#gates.get(senderId);
    this.#gates.delete(senderId);
    gate?.open();
  }

  /** Its opening is undone: what came later waits until it is opened again. */
  holdUp(frame: MessageNewFrame): void {
    const place = placeOf(frame);
    const held = this.#heldUp.get(place) ?? new Map<number, Gate>();
    this.#heldUp.set(place, held);
    if (!held.has(frame.conversation_seq)) held.set(frame.conversation_seq, newGate());
  }

  /** What came later waits for it no more. */
  letPass(frame: MessageNewFrame): void {
    const place = placeOf(frame);
    const held = this.#heldUp.get(place);
    held?.get(frame.conversation_seq)?.open();
    held?.delete(frame.conversation_seq);
    if (held?.size === 0) this.#heldUp.delete(place);
  }

  #ahead(frame: MessageNewFrame): Gate | undefined {
    const held = [...(this.#heldUp.get(placeOf(frame)) ?? [])];
    return held.find(([number]) => number < frame.conversation_seq)?.[1];
  }

  /** What could not be stored must not be acted on, and is tried again. */
  #unopened(frame: MessageNewFrame, code: string): Incoming {
    if (code === "storage_failed" || code === "internal_error") {
      this.holdUp(frame);
      return { kind: "postponed" };
    }
    this.letPass(frame);
    return code === "replayed" ? { kind: "known" } : { kind: "refused", code };
  }

  #close(senderId: string): void {
    if (!this.#gates.has(senderId)) this.#gates.set(senderId, newGate());
  }
}

const placeOf = ({ conversation_id, sender_id }: MessageNewFrame): string =>
  JSON.stringify([conversation_id, sender_id]);

function newGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
