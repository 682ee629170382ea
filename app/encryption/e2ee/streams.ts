import { fromBase64, toBase64 } from "../../contract/base64.ts";
import {
  type OpenedStream,
  type SealedStream,
  sealingError,
} from "../../protocol/v1/message-sealing.ts";
import { ByteReader, ByteWriter, joinBytes, readUtf8, utf8 } from "../bytes.ts";
import { type CryptoPrimitives, label, SIZES } from "../crypto-primitives.ts";
import { encryptionError, refuse } from "../encryption-error.ts";

/** The first byte of each part of a stream; no envelope begins with it. */
const PART_VERSION = 2;
const PART_KINDS = { delta: 1, done: 2 } as const;
export type PartKind = keyof typeof PART_KINDS;

/** Which stream a part belongs to. Each part is bound to all of these. */
export interface StreamPlace {
  readonly conversationId: string;
  readonly senderId: string;
  readonly streamId: string;
}

export interface StreamKey {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  /** The beginning of every part's associated data. */
  readonly place: Uint8Array;
}

/** @param secret the 32 bytes that `stream.start` carries, for this stream only */
export function streamKey(
  crypto: CryptoPrimitives,
  secret: Uint8Array,
  { conversationId, senderId, streamId }: StreamPlace,
): StreamKey {
  if (secret.length !== SIZES.key) refuse("malformed");
  const length = SIZES.key + SIZES.nonce;
  const bytes = crypto.hkdfSha256(secret, new Uint8Array(0), label("stream"), length);
  const place = new ByteWriter().text(conversationId).text(senderId).text(streamId).done();
  return {
    key: bytes.slice(0, SIZES.key),
    iv: bytes.slice(SIZES.key),
    place: joinBytes(label("streamPart"), place),
  };
}

const headOf = (kind: PartKind, index: number): Uint8Array =>
  new ByteWriter().u8(PART_VERSION).u8(PART_KINDS[kind]).u64(index).done();

/** Each index is used once per key, so no two parts share a nonce. */
function nonceOf({ iv }: StreamKey, index: number): Uint8Array {
  const counter = new ByteWriter().u32(0).u64(index).done();
  return iv.map((byte, at) => byte ^ (counter[at] ?? 0));
}

export function sealPart(
  crypto: CryptoPrimitives,
  stream: StreamKey,
  kind: PartKind,
  index: number,
  text: Uint8Array,
): Uint8Array {
  const head = headOf(kind, index);
  const associated = joinBytes(stream.place, head);
  const nonce = nonceOf(stream, index);
  return joinBytes(head, crypto.aesGcmEncrypt(stream.key, nonce, text, associated));
}

/**
 * @param index the next one: a part with another index is refused before anything is decrypted
 * @throws EncryptionError `downgraded`, `malformed`, `replayed`, `reordered`, `unopenable`
 */
export function openPart(
  crypto: CryptoPrimitives,
  stream: StreamKey,
  kind: PartKind,
  index: number,
  bytes: Uint8Array,
): Uint8Array {
  const reader = new ByteReader(bytes);
  const version = reader.u8();
  if (version === 0) refuse("downgraded");
  if (version !== PART_VERSION) refuse("unsupported_version");
  const isKind = reader.u8() === PART_KINDS[kind];
  const sent = reader.u64();
  if (sent < index) refuse("replayed");
  if (sent > index || !isKind) refuse("reordered");
  const associated = joinBytes(stream.place, headOf(kind, index));
  const nonce = nonceOf(stream, index);
  const text = crypto.aesGcmDecrypt(stream.key, nonce, reader.rest(), associated);
  return text ?? refuse("unopenable");
}

/** @throws EncryptionError `malformed` */
export const bytesOnWire = (wire: string): Uint8Array => fromBase64(wire) ?? refuse("malformed");

/** Turns an EncryptionError into the SealingError with the same code. */
export async function coded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw encryptionError.is(error) ? sealingError(error.code) : error;
  }
}

/** @param start the envelope that carries the key, in base64 */
export function sealedStream(
  crypto: CryptoPrimitives,
  key: StreamKey,
  start: string,
): SealedStream {
  let next = 0;
  const part = (kind: PartKind, text: Uint8Array) => {
    const index = next;
    next += 1;
    return coded(async () => toBase64(sealPart(crypto, key, kind, index, text)));
  };
  return {
    start,
    delta: (text) => part("delta", utf8(text)),
    done: () => part("done", new Uint8Array(0)),
  };
}

/** Opens the parts in order; after one is refused, no more are opened. */
export function openedStream(crypto: CryptoPrimitives, key: StreamKey): OpenedStream {
  let next = 0;
  let isOver = false;
  const part = (kind: PartKind, wire: string) => {
    const index = next;
    next += 1;
    return coded(async () => {
      if (isOver) refuse("reordered");
      isOver = kind === "done";
      try {
        return openPart(crypto, key, kind, index, bytesOnWire(wire));
      } catch (error) {
        isOver = true;
        throw error;
      }
    });
  };
  return {
    delta: async (wire) => readUtf8(await part("delta", wire)) ?? refuseText(),
    done: async (wire) => {
      if ((await part("done", wire)).length > 0) throw sealingError("malformed");
    },
  };
}

function refuseText(): never {
  throw sealingError("malformed");
}
