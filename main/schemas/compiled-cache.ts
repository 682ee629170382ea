/** Keeps what was made of texts, the last used, within a count and a total size. */
export class CompiledCache<T> {
  readonly #entries = new Map<string, T>();
  readonly #maxCount: number;
  readonly #maxSize: number;
  #size = 0;

  /** @param maxSize UTF-16 units of the texts: the measure of what it costs to keep them */
  constructor(maxCount: number, maxSize: number) {
    this.#maxCount = maxCount;
    this.#maxSize = maxSize;
  }

  /** What was made of the text, or is made now; it becomes the youngest. */
  get(text: string, make: (text: string) => T): T {
    const entry = this.#entries.has(text) ? (this.#entries.get(text) as T) : make(text);
    if (!this.#entries.delete(text)) this.#size += text.length;
    this.#entries.set(text, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxCount && this.#size <= this.#maxSize) break;
      this.#entries.delete(oldest);
      this.#size -= oldest.length;
    }
    return entry;
  }
}
