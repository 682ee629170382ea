import { createReadStream } from "node:fs";
import { LINE_BYTES } from "./jsonl-format.ts";

const NEWLINE = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The lines of a file without their `\n`. Null stands for a line that is not UTF-8 or longer than
 * any of ours; of such a one nothing is kept.
 * @throws whatever the file system says
 */
export async function* readLines(path: string): AsyncIterable<string | null> {
  let kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, end);
      yield length + rest.length > LINE_BYTES ? null : decode([...kept, rest]);
      [kept, length, from] = [[], 0, end + 1];
    }
    length += chunk.length - from;
    if (length > LINE_BYTES) kept = [];
    else if (from < chunk.length) kept.push(chunk.subarray(from));
  }
  if (length > 0) yield length > LINE_BYTES ? null : decode(kept);
}

function decode(parts: readonly Uint8Array[]): string | null {
  try {
    return utf8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    return null;
  }
}
