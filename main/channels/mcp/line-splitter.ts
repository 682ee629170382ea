const NEWLINE = 0x0a;

/** Whole lines of what comes in parts. A line that is too long is cut, so that it is no JSON. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *lines(chunk: Buffer): Generator<Buffer> {
    let rest = chunk;
    for (;;) {
      const end = rest.indexOf(NEWLINE);
      this.#keep(end === -1 ? rest : rest.subarray(0, end));
      if (end === -1) return;
      const line = Buffer.concat(this.#parts);
      this.#parts = [];
      this.#length = 0;
      yield line;
      rest = rest.subarray(end + 1);
    }
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) this.#parts.push(part);
  }
}
