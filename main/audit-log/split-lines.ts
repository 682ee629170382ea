import { createReadStream } from "node:fs";
import { LINE_BYTES } from "./jsonl-format.ts";

const NEWLINE = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Splits what comes in pieces into lines without their `\n`. Null stands for a line that is not UTF-8 or
 * too long; of such a one nothing is kept.
 */
export class LineSplitter {
  readonly #longest: number;
  #kept: Uint8Array[] = [];
  #length = 0;

  /** @param longest bytes of a line */
  constructor(longest: number) {
    this.#longest = longest;
  }

  *push(chunk: Uint8Array): Iterable<string | null> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const rest = chunk.subarray(from, end);
      yield this.#length + rest.length > this.#longest ? null : decode([...this.#kept, rest]);
      [this.#kept, this.#length, from] = [[], 0, end + 1];
    }
    this.#length += chunk.length - from;
    if (this.#length > this.#longest) this.#kept = [];
    else if (from < chunk.length) this.#kept.push(chunk.subarray(from));
  }

  /** A last line that nothing ends. */
  *end(): Iterable<string | null> {
    if (this.#length > 0) yield this.#length > this.#longest ? null : decode(this.#kept);
  }
}

function decode(parts: readonly Uint8Array[]): string | null {
  try {
    return utf8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  } catch {
    return null;
  }
}

/**
 * The lines of a file without their `\n`. Null stands for a line that is not UTF-8 or longer than
 * any of ours; of such a one nothing is kept.
 * @throws whatever the file system says
 */
export async function* readLines(path: string): AsyncIterable<string | null> {
  const splitter = new LineSplitter(LINE_BYTES);
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    yield* splitter.push(chunk);
  }
  yield* splitter.end();
}
