/**
 * Bytes by name, and secret. Declared here for the same reason as `AgentClock`; the built-in one is
 * a file.
 */
export interface KeyStore {
  load(): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Keeps all of it or nothing, `null` deleting a record, and resolves when it is durable. Batches
   * are kept in the order in which they were given; after one that failed, none is.
   */
  save(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void>;
}
