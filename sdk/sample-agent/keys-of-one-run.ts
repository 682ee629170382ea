import type { KeyStore } from "../index.ts";

/** This agent is paired at each run, so its keys stay in memory and leave no folder behind. */
export function keysOfOneRun(): KeyStore {
  const records = new Map<string, Uint8Array>();
  return {
    load: async () => new Map(records),
    save: async (changes) => {
      for (const [name, bytes] of changes) {
        if (bytes === null) records.delete(name);
        else records.set(name, bytes);
      }
    },
  };
}
