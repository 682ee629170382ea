import type { MessageNewFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import type { MessageKind, SealedStream } from "../../app/protocol/v1/message-sealing.ts";
import type { OpenedMail } from "./opened-mail.ts";

export interface Unsealed {
  readonly conversation_id: string;
  readonly kind: MessageKind;
  readonly call_id: string | null;
  readonly plaintext: Uint8Array;
}

/** How an agent's messages become envelopes, and the other way round. */
export interface Mail {
  /** @throws SendError, SealingError */
  seal(message: Unsealed): Promise<string>;
  /** While the sender's changed key is not accepted, the message waits. @throws SealingError */
  open(frame: MessageNewFrame): Promise<OpenedMail>;
  /** @throws SealingError, including `key_changed` */
  openNow(frame: MessageNewFrame): Promise<OpenedMail>;
  /** @throws SendError, SealingError */
  stream(streamId: string, conversationId: string): Promise<SealedStream>;
  /** Connected: publishes the keys that the hub lacks. */
  connected(): void;
  /** Resolves when others can write to this agent, or when it has to be tried again later. */
  ready(): Promise<void>;
  /** Called with every frame from the hub, before anything else handles it. */
  heard(frame: ServerFrame): void;
  /** Makes no further requests to the hub. */
  close(): void;
}
