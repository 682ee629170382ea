import { createReadStream } from "node:fs";
import { LINE_BYTES } from "./jsonl-format.ts";
import { LineSplitter } from "./split-lines.ts";

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
