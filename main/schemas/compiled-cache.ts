import type { CompiledSchema } from "../../app/contract/json-schema/compile-schema.ts";

/** A schema bound once; `undefined` remembers one that cannot be used. */
export type Compiled = CompiledSchema | undefined;

interface Entry {
  readonly compiled: Compiled;
  /** UTF-16 units of the schema's text: the measure of what it costs to keep. */
  readonly size: number;
}

/** Keeps what was used last, within a count and a total size. */
export class CompiledCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxCount: number;
  readonly #maxSize: number;
  #size = 0;

  constructor(maxCount: number, maxSize: number) {
    this.#maxCount = maxCount;
    this.#maxSize = maxSize;
  }

  /** The entry, which becomes the youngest; `undefined` when there is none. */
  get(key: string): { readonly compiled: Compiled } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  set(key: string, compiled: Compiled, size: number): void {
    this.#drop(key);
    this.#entries.set(key, { compiled, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxCount && this.#size <= this.#maxSize) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
