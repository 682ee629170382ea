import { plainEnvelope } from "../../app/protocol/v1/envelope.ts";
import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import { SealingError } from "../../app/protocol/v1/message-sealing.ts";
import type { Mail, Unsealed } from "./mail.ts";

const NOBODY = { conversation_id: "", sender_id: "" };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Envelopes of version 0, which sign nothing and hide nothing. */
export const plainMail = {
  seal: ({ plaintext }: Pick<Unsealed, "plaintext">) => plainEnvelope.seal(plaintext, NOBODY),
  open(frame: Pick<MessageNewFrame, "encrypted_payload">) {
    try {
      const plaintext = plainEnvelope.open(frame.encrypted_payload, NOBODY);
      return { plaintext, callId: undefined, done: () => undefined };
    } catch {
      throw new SealingError("malformed");
    }
  },
  stream: () => ({
    start: "",
    delta: (part: string) =>
      plainEnvelope.seal(text(JSON.stringify({ type: "text", text: part })), NOBODY),
    done: () => "",
  }),
  connected: () => undefined,
  ready: () => undefined,
  heard: () => undefined,
  close: () => undefined,
} satisfies Mail;
