import { type CodedError, errorKind } from "../../contract/coded-error.ts";
import type { MessageSendFrame } from "./frames.ts";

/**
 * A message's kind, visible outside the envelope and bound inside it: `content_type`, followed by
 * `/` and `msg_subtype` if there is one.
 */
export type MessageKind = string;

export const messageKind = ({
  content_type,
  msg_subtype,
}: Pick<MessageSendFrame, "content_type" | "msg_subtype">): MessageKind =>
  msg_subtype === undefined ? content_type : `${content_type}/${msg_subtype}`;

/** The first message in a new session; nothing is shown of it (docs/encryption.md, "Sessions"). */
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
  /** The call this message is, cancels or answers; null for anything else. */
  readonly call_id: string | null;
}

export interface OpenContext {
  readonly conversation_id: string;
  /** As stated by the hub. The envelope must be signed with the key known for this sender. */
  readonly sender_id: string;
  readonly kind: MessageKind;
  /**
   * False if nobody waits for `kept`: it is then stored together with the next change. Default:
   * true.
   */
  readonly awaited?: boolean;
}

export interface OpenedMessage {
  readonly plaintext: Uint8Array;
  /** The call that the sender names; compare it with the payload. */
  readonly call_id: string | null;
  /**
   * Resolves when the keys used up and the opened content are durable. Until then, do nothing whose
   * effect would survive a crash that they do not.
   * @throws SealingError `storage_failed`
   */
  kept(): Promise<void>;
  /**
   * The message is dealt with for good, and its kept content is deleted. Until then, the same
   * envelope gives the same content, even after a restart; afterwards it is `replayed`.
   */
  done(): Promise<void>;
}

/** Each part in base64, in sending order. */
export interface SealedStream {
  /** What `stream.start` carries. */
  readonly start: string;
  delta(text: string): Promise<string>;
  /** What `stream.done` carries; a stream without it was cut off. */
  done(): Promise<string>;
}

export interface OpenedStream {
  /** @throws SealingError `replayed`, `reordered`, `unopenable`, `malformed`: the stream is over */
  delta(wire: string): Promise<string>;
  /** @throws SealingError if this is not the end of the parts opened so far */
  done(wire: string): Promise<void>;
}

/**
 * The only place where plaintext becomes what the hub stores and routes. Messages of one
 * conversation must be sent in the order in which `seal` was called, and opened in the order of
 * arrival.
 */
export interface MessageSealing {
  /**
   * Resolves when the keys used up are durable, and the envelope may be sent.
   * @returns base64
   * @throws SealingError `key_changed`, `keys_missing`, `malformed`, `storage_failed`
   */
  seal(plaintext: Uint8Array, context: SealContext): Promise<string>;
  /**
   * Resolves when the changes are on their way to storage. Anything stored there later is written
   * after them, and exists only if they do.
   * @throws SealingError any code of docs/encryption.md, "Refusals"; never any content
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

/** Why a message was not sealed or opened: a code, and none of the data read. */
export const sealingError = errorKind<string>("SealingError");
export type SealingError = CodedError<string>;
