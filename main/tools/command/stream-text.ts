import type { StreamEncoding } from "../../../app/contract/tools/run-command.ts";
import { textOf } from "../text-of.ts";

/**
 * A stream's bytes for the result, at most about twice as long in JSON. Text that is mostly control
 * characters takes six bytes each in JSON, so it is sent as base64, like binary data. Pure.
 */
export function streamText(bytes: Uint8Array): { text: string; encoding: StreamEncoding } {
  const text = textOf(bytes);
  if (text !== null && Buffer.byteLength(JSON.stringify(text)) <= 2 * bytes.length + 2) {
    return { text, encoding: "utf-8" };
  }
  return { text: Buffer.from(bytes).toString("base64"), encoding: "base64" };
}
