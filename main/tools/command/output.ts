import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import type { StreamEncoding } from "../../../app/contract/tools/run-command.ts";
import { textOf } from "../text-of.ts";

/** The bytes so far, and their last lines. */
export type Progress = (bytes: number, tail: Pick<OutputTail, "lines">) => void;

/** Two streams that share one limit on their bytes. Beyond it, nothing more is read. */
export class Output {
  readonly #chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  readonly #maxBytes: number;
  readonly #progress: Progress;
  readonly #tail = new OutputTail();
  #size = 0;
  onOverflow: () => void = () => undefined;

  constructor(maxBytes: number, progress: Progress) {
    this.#maxBytes = maxBytes;
    this.#progress = progress;
  }

  take(stream: Readable | null | undefined, name: "stdout" | "stderr"): void {
    // What was read before a pipe broke still counts.
    stream?.on("error", () => undefined);
    stream?.on("data", (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.overflowed) {
        stream.destroy();
        this.onOverflow();
        return;
      }
      this.#chunks[name].push(chunk);
      this.#tail.take(chunk);
      this.#progress(this.#size, this.#tail);
    });
  }

  get overflowed(): boolean {
    return this.#size > this.#maxBytes;
  }

  bytes(): { readonly stdout: Buffer; readonly stderr: Buffer } {
    const { stdout, stderr } = this.#chunks;
    return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
  }
}

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
