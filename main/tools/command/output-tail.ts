import { stripVTControlCharacters } from "node:util";

const TAIL_BYTES = 2_048;
const TAIL_LINES = 5;
const LINE_CHARS = 200;

/** The last lines of what a command writes, while it runs. They are kept nowhere else. */
export class OutputTail {
  #bytes: Buffer = Buffer.alloc(0);
  #isCut = false;

  take(chunk: Buffer): void {
    const all = Buffer.concat([this.#bytes, chunk.subarray(-TAIL_BYTES)]);
    this.#isCut ||= all.length > TAIL_BYTES || chunk.length > TAIL_BYTES;
    this.#bytes = all.subarray(-TAIL_BYTES);
  }

  /** Oldest first, without what moves a terminal's cursor or colours it. */
  lines(): readonly string[] {
    const text = stripVTControlCharacters(this.#bytes.toString("utf8"));
    const lines = text.split(/\r\n|[\n\r]/u);
    // The first one began somewhere before.
    const whole = this.#isCut && lines.length > 1 ? lines.slice(1) : lines;
    return whole
      .filter((line) => line.trim() !== "")
      .slice(-TAIL_LINES)
      .map((line) => line.slice(0, LINE_CHARS));
  }
}
