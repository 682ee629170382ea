/**
 * Of which agents a person keeps no further message, as the person's client says. In memory: the
 * client says so again after each connect, and what comes before waits within its own bound.
 */
export class FullHistories {
  readonly #full = new Set<string>();

  set(personId: string, agentId: string, isFull: boolean): void {
    const key = keyOf(personId, agentId);
    if (isFull) this.#full.add(key);
    else this.#full.delete(key);
  }

  /** For any of these members. */
  isFull(memberIds: readonly string[], agentId: string): boolean {
    return this.#full.size > 0 && memberIds.some((id) => this.#full.has(keyOf(id, agentId)));
  }
}

const keyOf = (...ids: readonly string[]): string => JSON.stringify(ids);
