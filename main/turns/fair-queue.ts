/** First in, first out for each owner; the owners take turns, so that nobody crowds out another. */
export class FairQueue<T> {
  readonly #lines = new Map<string, Set<T>>();

  add(owner: string, item: T): void {
    const line = this.#lines.get(owner);
    if (line === undefined) this.#lines.set(owner, new Set([item]));
    else line.add(item);
  }

  /** Takes the next item of an owner who is not busy; the owner goes to the end of the turn. */
  take(isBusy: (owner: string) => boolean = () => false): T | undefined {
    for (const [owner, line] of this.#lines) {
      if (isBusy(owner)) continue;
      this.#lines.delete(owner);
      for (const item of line) {
        line.delete(item);
        if (line.size > 0) this.#lines.set(owner, line);
        return item;
      }
    }
    return undefined;
  }

  /** Takes up to `most` more of the owner's items, in order. */
  takeFrom(owner: string, most: number): readonly T[] {
    const items = [...(this.#lines.get(owner) ?? [])].slice(0, most);
    for (const item of items) this.remove(owner, item);
    return items;
  }

  /** Puts items back before everything else the owner waits for. */
  putBack(owner: string, items: readonly T[]): void {
    if (items.length === 0) return;
    this.#lines.set(owner, new Set([...items, ...(this.#lines.get(owner) ?? [])]));
  }

  /** How much the owner waits for. */
  sizeOf(owner: string): number {
    return this.#lines.get(owner)?.size ?? 0;
  }

  remove(owner: string, item: T): void {
    const line = this.#lines.get(owner);
    line?.delete(item);
    if (line?.size === 0) this.#lines.delete(owner);
  }

  /** Empties the queue. */
  *drain(): Generator<T> {
    for (let item = this.take(); item !== undefined; item = this.take()) yield item;
  }
}
