import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";

export const BODY_AT_MOST_BYTES = 262_144;
/**
 * A body over the limit is read on and thrown away up to here, because a client that is still
 * writing when the line is cut never sees the answer.
 */
const DRAINED_AT_MOST_BYTES = 16 * 1024 * 1024;

/** @throws Refusal BODY_TOO_LARGE past 262,144 bytes */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= BODY_AT_MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > DRAINED_AT_MOST_BYTES) break;
  }
  if (bytes <= BODY_AT_MOST_BYTES) return Buffer.concat(chunks);
  throw new Refusal("BODY_TOO_LARGE", { max_bytes: BODY_AT_MOST_BYTES });
}
