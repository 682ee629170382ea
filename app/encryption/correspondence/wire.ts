import { fromBase64, toBase64 } from "../../contract/base64.ts";
import {
  type OpenedStream,
  type SealedStream,
  SealingError,
} from "../../protocol/v1/message-sealing.ts";
import { readUtf8, utf8 } from "../bytes/text-bytes.ts";
import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { EncryptionError, refuse } from "../encryption-error.ts";
import { openPart, type PartKind, type StreamKey, sealPart } from "./stream-parts.ts";

/** @throws EncryptionError `malformed` */
export const bytesOnWire = (wire: string): Uint8Array => fromBase64(wire) ?? refuse("malformed");

/** Turns an EncryptionError into the SealingError with the same code. */
export async function coded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof EncryptionError ? new SealingError(error.code) : error;
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
      if ((await part("done", wire)).length > 0) throw new SealingError("malformed");
    },
  };
}

function refuseText(): never {
  throw new SealingError("malformed");
}
