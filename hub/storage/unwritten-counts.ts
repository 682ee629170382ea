import type { Statement } from "better-sqlite3";

/** A table's numbers, with what is added to them in memory and written later: one row for each key. */
export class UnwrittenCounts<Key extends string[]> {
  readonly #read: Statement<Key, number>;
  readonly #save: Statement<[...Key, number]>;
  readonly #added = new Map<string, { readonly key: Key; more: number }>();

  /**
   * @param read the number of a key
   * @param save adds to it
   */
  constructor(read: Statement<Key>, save: Statement<[...Key, number]>) {
    this.#read = read.pluck() as Statement<Key, number>;
    this.#save = save;
  }

  of(...key: Key): number {
    const stored = this.#read.get(...key) ?? 0;
    return stored + (this.#added.get(key.join(" "))?.more ?? 0);
  }

  add(more: number, ...key: Key): void {
    const id = key.join(" ");
    const added = this.#added.get(id);
    if (added === undefined) this.#added.set(id, { key, more });
    else added.more += more;
  }

  write(): void {
    for (const { key, more } of this.#added.values()) {
      if (more !== 0) this.#save.run(...key, more);
    }
  }

  /** Once it is written, or when it will never be. */
  forget(): void {
    this.#added.clear();
  }
}
