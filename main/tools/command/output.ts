import type { Readable } from "node:stream";
import { OutputTail } from "./output-tail.ts";

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
