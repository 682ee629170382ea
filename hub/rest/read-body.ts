import type { IncomingMessage } from "node:http";
import { LIMITS } from "../../app/contract/limits.ts";
import { BODY_AT_MOST_BYTES } from "../../app/protocol/v1/rest.ts";
import { Refusal } from "../refusal.ts";

/**
 * The rest of a body over the limit is read and discarded up to here, because a client that is still
 * writing when the connection is closed never sees the answer.
 */
const DRAINED_AT_MOST_BYTES = 16 * 1024 * 1024;

/** What a body over the limit is called: whatever carries a manifest is too large for its sake. */
export type TooLarge = "BODY_TOO_LARGE" | "MANIFEST_TOO_LARGE";

/** @throws Refusal as `tooLarge` names it, past 262,144 bytes */
export async function readBody(request: IncomingMessage, tooLarge: TooLarge): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= BODY_AT_MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > DRAINED_AT_MOST_BYTES) break;
  }
  if (bytes <= BODY_AT_MOST_BYTES) return Buffer.concat(chunks);
  throw new Refusal(tooLarge, {
    max_bytes: tooLarge === "MANIFEST_TOO_LARGE" ? LIMITS.manifestBytes : BODY_AT_MOST_BYTES,
  });
}
