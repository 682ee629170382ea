import type { MessageSendFrame } from "./frames.ts";

/**
 * What a message is, in the clear outside the envelope and bound inside it: `content_type`, and
 * `/` with `msg_subtype` where there is one.
 */
export type MessageKind = string;

export const messageKind = ({
  content_type,
  msg_subtype,
}: Pick<MessageSendFrame, "content_type" | "msg_subtype">): MessageKind =>
  msg_subtype === undefined ? content_type : `${content_type}/${msg_subtype}`;

/** A sign of life in a new session; nothing is shown of it (docs/encryption.md, "Sessions"). */
export const ENCRYPTION_SESSION_SUBTYPE = "encryption_session";

export const encodeSessionSign = (): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ type: "artifact", artifact: { subtype: ENCRYPTION_SESSION_SUBTYPE } }),
  );

export interface SealContext {
  readonly conversation_id: string;
  /** Everybody else in the conversation, agents and persons; 1 to 500. */
  readonly recipient_ids: readonly string[];
  readonly kind: MessageKind;
  /** The call this is, gives up or answers; null for anything else. */
  readonly call_id: string | null;
}

export interface OpenContext {
  readonly conversation_id: string;
  /** As the hub tells it; the envelope must be signed by what is known of it. */
  readonly sender_id: string;
  readonly kind: MessageKind;
  /** False where nobody waits for `kept`: what is stored next takes it along. Absent: true. */
  readonly awaited?: boolean;
}

export interface OpenedMessage {
  readonly plaintext: Uint8Array;
  /** What the sender says this is about; whoever reads the payload compares. */
  readonly call_id: string | null;
  /**
   * Resolves when what was used up and what was opened are durable. Until then nothing may be done
   * about it that could be there after a crash while they are not.
   * @throws SealingError `storage_failed`
   */
  kept(): Promise<void>;
  /**
   * The message is dealt with for good: what was kept of it goes. Until then the same envelope
   * gives the same content, also after a restart; afterwards it is `replayed`.
   */
  done(): Promise<void>;
}

/** Each part as its base64 wire form, in the order they are sent. */
export interface SealedStream {
  /** What `stream.start` carries. */
  readonly start: string;
  delta(text: string): Promise<string>;
  /** What `stream.done` carries: without it the stream was cut. */
  done(): Promise<string>;
}

export interface OpenedStream {
  /** @throws SealingError `replayed`, `reordered`, `unopenable`, `malformed`: the stream is over */
  delta(wire: string): Promise<string>;
  /** @throws SealingError when this is not the end of what was opened so far */
  done(wire: string): Promise<void>;
}

/**
 * The one place where a message's plaintext becomes what the hub stores and routes. Messages of one
 * conversation are to be sent in the order in which `seal` was called, and opened in the order in
 * which they came.
 */
export interface MessageSealing {
  /**
   * Resolves when what was used up is durable: the envelope may leave.
   * @returns the wire form, base64
   * @throws SealingError `key_changed`, `keys_missing`, `malformed`, `storage_failed`
   */
  seal(plaintext: Uint8Array, context: SealContext): Promise<string>;
  /**
   * What was used up and what was opened are on their way to where keys are kept: whatever is
   * stored there from now on lies behind them, and is there only if they are.
   * @throws SealingError any code of docs/encryption.md, "Refusals"; never anything of the content
   */
  open(wire: string, context: OpenContext): Promise<OpenedMessage>;
  sealStream(
    streamId: string,
    context: Pick<SealContext, "conversation_id" | "recipient_ids">,
  ): Promise<SealedStream>;
  /** @param wire what `stream.start` carried */
  openStream(
    wire: string,
    streamId: string,
    context: Pick<OpenContext, "conversation_id" | "sender_id">,
  ): Promise<OpenedStream>;
}

/** The kind of a `stream.start`'s envelope. */
export const STREAM_START_KIND: MessageKind = "stream.start";

/** Why a message was not sealed or opened. It carries a code and nothing of what was read. */
export class SealingError extends Error {
  override readonly name = "SealingError";
  /** A code of docs/encryption.md, "Refusals". */
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
