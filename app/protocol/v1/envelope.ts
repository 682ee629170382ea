import { fromBase64, toBase64 } from "./base64.ts";

/**
 * The one place where a message's plaintext becomes what the hub stores and routes. Encryption
 * will be another implementation of `Envelope`; nothing in front of or behind it will change.
 */
interface EnvelopeContext {
  readonly conversation_id: string;
  /** The sender's agent id or user id. */
  readonly sender_id: string;
}

export interface Envelope {
  /** @returns the wire form, base64 */
  seal(plaintext: Uint8Array, context: EnvelopeContext): string;
  /** @throws EnvelopeError when the wire form is not one this envelope can open */
  open(wire: string, context: EnvelopeContext): Uint8Array;
}

export class EnvelopeError extends Error {
  override readonly name = "EnvelopeError";
  readonly code = "envelope_unreadable";
  constructor() {
    super("envelope_unreadable");
  }
}

/** Version 0: signs nothing and hides nothing. First byte of the wire form is the version. */
const PLAIN_VERSION = 0;

export const plainEnvelope: Envelope = {
  seal(plaintext) {
    const wire = new Uint8Array(plaintext.byteLength + 1);
    wire[0] = PLAIN_VERSION;
    wire.set(plaintext, 1);
    return toBase64(wire);
  },
  open(wire) {
    const bytes = fromBase64(wire);
    if (bytes?.[0] !== PLAIN_VERSION) throw new EnvelopeError();
    return bytes.subarray(1);
  },
};
