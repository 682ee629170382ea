import type { Readable } from "node:stream";

/** Two streams that share one limit on their bytes. Beyond it, nothing more is read. */
export class Output {
  readonly #chunks: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  readonly #maxBytes: number;
  readonly #progress: (bytes: number) => void;
  #size = 0;
  onOverflow: () => void = () => undefined;

  constructor(maxBytes: number, progress: (bytes: number) => void) {
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
      this.#progress(this.#size);
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
