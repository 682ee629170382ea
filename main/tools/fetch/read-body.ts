import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FETCH_MAX_BODY_BYTES } from "../../../app/contract/tools/fetch-url.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";

/** The codings we ask for, and `deflate`, which some servers choose unasked. */
export const ACCEPTED_CODINGS = "gzip, br";

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
  ["deflate", createInflate],
]);

export interface ReadBody {
  readonly bytes: Buffer;
  /** True when a coding was taken off; one we do not know stays on, and its header with it. */
  readonly decoded: boolean;
}

/**
 * The whole body, decompressed. Both what came and what it became are held to the limit while
 * they arrive, so a bomb is never unpacked further than that.
 * @param progress told how many bytes have come, as they came
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

/** Copied at once: a body that comes a byte at a time costs no more memory than another. */
async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(FETCH_MAX_BODY_BYTES);
  let size = 0;
  for await (const chunk of capped(source)) size += chunk.copy(whole, size);
  return whole.subarray(0, size);
}
