import { plainEnvelope } from "../../app/protocol/v1/envelope.ts";
import { type MessageSealing, SealingError } from "../../app/protocol/v1/message-sealing.ts";

const NOBODY = { conversation_id: "", sender_id: "" };

/** Envelopes of version 0, which sign nothing and hide nothing. */
export const plainSealing: MessageSealing = {
  seal: async (plaintext) => plainEnvelope.seal(plaintext, NOBODY),
  open: async (wire) => ({
    plaintext: opened(wire),
    call_id: null,
    kept: async () => {},
    done: async () => {},
  }),
  sealStream: async () => ({
    start: "",
    delta: async (text) => {
      const part = JSON.stringify({ type: "text", text });
      return plainEnvelope.seal(new TextEncoder().encode(part), NOBODY);
    },
    done: async () => "",
  }),
  openStream: async () => ({
    delta: async (wire) => textOf(new TextDecoder().decode(opened(wire))),
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

/** In the clear, a part of a stream is a text message of its own. */
function textOf(part: string): string {
  try {
    const content: unknown = JSON.parse(part);
    if (typeof content === "object" && content !== null && "text" in content) {
      if (typeof content.text === "string") return content.text;
    }
  } catch {
    // Said below, as for any other part that is none.
  }
  throw new SealingError("malformed");
}
