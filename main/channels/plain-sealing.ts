import { plainEnvelope } from "../../app/protocol/v1/envelope.ts";
import { type MessageSealing, SealingError } from "../../app/protocol/v1/message-sealing.ts";

const NOBODY = { conversation_id: "", sender_id: "" };

/** Envelopes of version 0, which sign nothing and hide nothing. */
export const plainSealing: MessageSealing = {
  seal: async (plaintext) => plainEnvelope.seal(plaintext, NOBODY),
  open: async (wire) => ({ plaintext: opened(wire), call_id: null, done: async () => {} }),
  sealStream: async () => ({
    start: "",
    delta: async (text) => plainEnvelope.seal(new TextEncoder().encode(text), NOBODY),
    done: async () => "",
  }),
  openStream: async () => ({
    delta: async (wire) => new TextDecoder().decode(opened(wire)),
    done: async () => {},
  }),
};

function opened(wire: string): Uint8Array {
  try {
    return plainEnvelope.open(wire, NOBODY);
  } catch {
    throw new SealingError("malformed");
  }
}
