import { fromBase64, toBase64 } from "../../../app/contract/base64.ts";
import { type MessageSealing, sealingError } from "../../../app/protocol/v1/message-sealing.ts";

/** A sealing without encryption, for tests of the code around it. */
export const plainSealing: MessageSealing = {
  seal: async (plaintext) => sealPlain(plaintext),
  open: async (wire) => ({
    plaintext: openPlain(wire),
    call_id: null,
    kept: async () => {},
    done: async () => {},
  }),
  sealStream: async () => ({
    start: "",
    delta: async (text) => {
      const part = JSON.stringify({ type: "text", text });
      return sealPlain(new TextEncoder().encode(part));
    },
    done: async () => "",
  }),
  openStream: async () => ({
    delta: async (wire) => textOf(new TextDecoder().decode(openPlain(wire))),
    done: async () => {},
  }),
};

export const sealPlain = toBase64;

/** @throws SealingError `malformed` */
export function openPlain(wire: string): Uint8Array {
  const plaintext = fromBase64(wire);
  if (plaintext === undefined) throw sealingError("malformed");
  return plaintext;
}

/** In the clear, a part of a stream is a text message of its own. */
function textOf(part: string): string {
  try {
    const content: unknown = JSON.parse(part);
    if (typeof content === "object" && content !== null && "text" in content) {
      if (typeof content.text === "string") return content.text;
    }
  } catch {
    // Thrown below, as for any other invalid part.
  }
  throw sealingError("malformed");
}
