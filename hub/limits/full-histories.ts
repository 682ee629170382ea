/**
 * The agents whose messages a person's client no longer stores, as it reports. In memory only: the
 * client repeats this after each connect, and earlier messages wait within their own limit.
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
