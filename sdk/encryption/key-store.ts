/**
 * Stores secret bytes by name. Declared here for the same reason as `AgentClock`; the built-in store
 * is a file.
 */
export interface KeyStore {
  load(): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Stores the whole batch or nothing and resolves when it is durable; `null` deletes a record.
   * Batches are stored in the order given; after one has failed, no later one is stored.
   */
  save(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void>;
}
