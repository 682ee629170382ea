import type { MessageNewFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import type { MessageKind } from "../../app/protocol/v1/message-sealing.ts";
import type { OpenedMail, Soon } from "./opened-mail.ts";

export interface Unsealed {
  readonly conversation_id: string;
  readonly kind: MessageKind;
  readonly call_id: string | null;
  readonly plaintext: Uint8Array;
}

/** As `SealedStream`. */
export interface MailStream {
  readonly start: string;
  delta(text: string): Soon<string>;
  done(): Soon<string>;
}

/** How an agent's messages become envelopes, and the other way round. */
export interface Mail {
  /** @throws SealingError */
  seal(message: Unsealed): Soon<string>;
  /** What its sender's changed key holds back waits until that is accepted. @throws SealingError */
  open(frame: MessageNewFrame): Soon<OpenedMail>;
  /** @throws SealingError, `key_changed` too */
  openNow(frame: MessageNewFrame): Soon<OpenedMail>;
  /** @throws SealingError */
  stream(streamId: string, conversationId: string): Soon<MailStream>;
  /** The connection stands: what the hub lacks is published. */
  connected(): void;
  /** Resolves when others can write to this agent, or it has to be tried again later. */
  ready(): Soon<void>;
  /** Every frame of the hub's, before anything else is made of it. */
  heard(frame: ServerFrame): void;
  /** Nothing more is asked of the hub. */
  close(): void;
}
