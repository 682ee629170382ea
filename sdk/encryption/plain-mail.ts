import { plainEnvelope } from "../../app/protocol/v1/envelope.ts";
import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import { SealingError } from "../../app/protocol/v1/message-sealing.ts";
import type { Mail, Unsealed } from "./mail.ts";
import type { OpenedMail } from "./opened-mail.ts";

const NOBODY = { conversation_id: "", sender_id: "" };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

function opened(frame: Pick<MessageNewFrame, "encrypted_payload">): OpenedMail {
  try {
    const plaintext = plainEnvelope.open(frame.encrypted_payload, NOBODY);
    return { plaintext, callId: undefined, done: () => undefined };
  } catch {
    throw new SealingError("malformed");
  }
}

/** Envelopes of version 0, which sign nothing and hide nothing. */
export const plainMail = {
  seal: ({ plaintext }: Pick<Unsealed, "plaintext">) => plainEnvelope.seal(plaintext, NOBODY),
  open: opened,
  openNow: opened,
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
