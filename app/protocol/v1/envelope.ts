/**
 * The one place where a message's plaintext becomes what the hub stores and routes. Encryption
 * will be another implementation of `Envelope`; nothing in front of or behind it will change.
 */
export interface EnvelopeContext {
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
    if (bytes[0] !== PLAIN_VERSION) throw new EnvelopeError();
    return bytes.subarray(1);
  },
};

const CHUNK = 8192;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.byteLength; at += CHUNK) {
    // `apply` on the typed array is several times faster than spreading it.
    binary += String.fromCharCode.apply(
      null,
      bytes.subarray(at, at + CHUNK) as unknown as number[],
    );
  }
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new EnvelopeError();
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
