import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import {
  type MessageSealing,
  messageKind,
  type OpenedMessage,
  SealingError,
} from "../../app/protocol/v1/message-sealing.ts";

/** What came of an envelope: opened, dealt with before, not to be touched now, or refused. */
export type Incoming =
  | { readonly kind: "opened"; readonly message: OpenedMessage }
  | { readonly kind: "known" }
  | { readonly kind: "postponed" }
  | { readonly kind: "refused"; readonly code: string };

export interface EnvelopePorts {
  readonly sealing: Pick<MessageSealing, "open">;
  /** Resolves when an agent's keys are known, or cannot be had. Never rejects. */
  acquainted(agentId: string): Promise<void>;
}

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/**
 * Opens envelopes in the order they came. Those of a sender whose key is another wait until the
 * person has accepted it, and the later ones behind them (docs/encryption.md, "A key that changed").
 */
export class IncomingEnvelopes {
  readonly #ports: EnvelopePorts;
  readonly #gates = new Map<string, Gate>();

  constructor(ports: EnvelopePorts) {
    this.#ports = ports;
  }

  async open(frame: MessageNewFrame): Promise<Incoming> {
    const { conversation_id, conversation_type, sender_id, encrypted_payload } = frame;
    const { sealing, acquainted } = this.#ports;
    // Whose relation it is decides how it is encrypted.
    if (conversation_type === "h2a") await acquainted(sender_id);
    for (;;) {
      const gate = this.#gates.get(sender_id);
      if (gate !== undefined) await gate.opened;
      try {
        // Nobody waits: a call's intent, or the text itself, is stored behind it in the same place.
        const awaited = false;
        const context = { conversation_id, sender_id, kind: messageKind(frame), awaited };
        return { kind: "opened", message: await sealing.open(encrypted_payload, context) };
      } catch (error) {
        const code = error instanceof SealingError ? error.code : "internal_error";
        if (code !== "key_changed") return unopened(code);
        this.#close(sender_id);
      }
    }
  }

  /** The person has accepted this sender's key. */
  release(senderId: string): void {
    const gate = this.#gates.get(senderId);
    this.#gates.delete(senderId);
    gate?.open();
  }

  #close(senderId: string): void {
    if (this.#gates.has(senderId)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gates.set(senderId, { opened: promise, open: resolve });
  }
}

/** Nothing may be acted upon that could not be kept: it comes again after the next start. */
function unopened(code: string): Incoming {
  if (code === "replayed") return { kind: "known" };
  if (code === "storage_failed" || code === "internal_error") return { kind: "postponed" };
  return { kind: "refused", code };
}
