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
  /** While the sender's changed key is not accepted, the message waits. @throws SealingError */
  open(frame: MessageNewFrame): Soon<OpenedMail>;
  /** @throws SealingError, including `key_changed` */
  openNow(frame: MessageNewFrame): Soon<OpenedMail>;
  /** @throws SealingError */
  stream(streamId: string, conversationId: string): Soon<MailStream>;
  /** Connected: publishes the keys that the hub lacks. */
  connected(): void;
  /** Resolves when others can write to this agent, or when it has to be tried again later. */
  ready(): Soon<void>;
  /** Called with every frame from the hub, before anything else handles it. */
  heard(frame: ServerFrame): void;
  /** Makes no further requests to the hub. */
  close(): void;
}
