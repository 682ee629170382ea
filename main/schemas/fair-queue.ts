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
