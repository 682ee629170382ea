import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FETCH_MAX_BODY_BYTES } from "../../../app/contract/tools/fetch-url.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";

/** The content codings that we ask for, and `deflate`, which some servers use unasked. */
export const ACCEPTED_CODINGS = "gzip, br";

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
  ["deflate", createInflate],
]);

export interface ReadBody {
  readonly bytes: Buffer;
  /** True if a content coding was removed; an unknown one stays, together with its header. */
  readonly decoded: boolean;
}

/**
 * The whole body, decompressed. Both the received and the decompressed bytes are checked against
 * the limit while they arrive, so a decompression bomb stops there.
 * @param progress called with the number of received bytes
 * @throws ToolFailure `too_large`; whatever the connection or the decoder throws
 */
export async function readBody(
  body: Readable,
  coding: string | undefined,
  progress: (bytes: number) => void,
): Promise<ReadBody> {
  const counted = (source: AsyncIterable<Buffer>) => counting(source, progress);
  const decoder = DECODERS.get(coding?.trim().toLowerCase() ?? "")?.();
  const bytes =
    decoder === undefined
      ? await pipeline(body, counted, collect)
      : await pipeline(body, counted, capped, decoder, collect);
  return { bytes, decoded: decoder !== undefined };
}

async function* counting(
  source: AsyncIterable<Buffer>,
  progress: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    progress(size);
    yield chunk;
  }
}

async function* capped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > FETCH_MAX_BODY_BYTES) throw new ToolFailure("too_large");
    yield chunk;
  }
}

/** Copies chunks at once, so that a body arriving byte by byte takes no extra memory. */
async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(FETCH_MAX_BODY_BYTES);
  let size = 0;
  for await (const chunk of capped(source)) size += chunk.copy(whole, size);
  return whole.subarray(0, size);
}
