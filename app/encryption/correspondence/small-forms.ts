import { ByteReader } from "../bytes/byte-reader.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import type { SequenceWindow } from "../envelope/sequence-window.ts";
import { checkedBody, withChecksum } from "../state-checksum.ts";

/** The highest sequence number used. */
export const encodeSequence = (crypto: CryptoPrimitives, sequence: number): Uint8Array =>
  withChecksum(crypto, new ByteWriter().u64(sequence).done());

export function decodeSequence(crypto: CryptoPrimitives, stored: Uint8Array): number {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  const sequence = reader.u64();
  reader.end();
  return sequence;
}

export function encodeWindow(
  crypto: CryptoPrimitives,
  { highest, missing }: SequenceWindow,
): Uint8Array {
  const writer = new ByteWriter().u64(highest).u16(missing.length);
  for (const sequence of missing) writer.u64(sequence);
  return withChecksum(crypto, writer.done());
}

export function decodeWindow(crypto: CryptoPrimitives, stored: Uint8Array): SequenceWindow {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  const highest = reader.u64();
  const missing = Array.from({ length: reader.u16() }, () => reader.u64());
  reader.end();
  return { highest, missing };
}

/** An opened envelope's content, until the message is dealt with. */
export interface KeptContent {
  readonly conversationId: string;
  readonly senderId: string;
  readonly kind: string;
  readonly callId: string | null;
  readonly content: Uint8Array;
}

export function encodeKept(
  crypto: CryptoPrimitives,
  { conversationId, senderId, kind, callId, content }: KeptContent,
): Uint8Array {
  const writer = new ByteWriter().text(conversationId).text(senderId).text(kind);
  writer.optional(callId, (id) => writer.text(id)).bytes32(content);
  return withChecksum(crypto, writer.done());
}

export function decodeKept(crypto: CryptoPrimitives, stored: Uint8Array): KeptContent {
  const reader = new ByteReader(checkedBody(crypto, stored), "corrupt_state");
  const kept = {
    conversationId: reader.text(),
    senderId: reader.text(),
    kind: reader.text(),
    callId: reader.optional(() => reader.text()),
    content: reader.bytes32(),
  };
  reader.end();
  return kept;
}
