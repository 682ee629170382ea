/**
 * The agents whose messages a person's client no longer stores, as it reports. In memory only: the
 * client repeats this after each connect, and earlier messages wait within their own limit.
 */
export class FullHistories {
  readonly #full = new Map<string, Set<string>>();

  set(personId: string, agentId: string, isFull: boolean): void {
    const full = this.#full.get(personId) ?? new Set();
    this.#full.set(personId, full);
    if (isFull) full.add(agentId);
    else full.delete(agentId);
  }

  /** Nobody could report meanwhile that there is room again. */
  forget(personId: string): void {
    this.#full.delete(personId);
  }

  /** For any of these members. */
  isFull(memberIds: readonly string[], agentId: string): boolean {
    return memberIds.some((id) => this.#full.get(id)?.has(agentId));
  }
}
