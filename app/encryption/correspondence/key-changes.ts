/** Bytes by record; `null` deletes it. */
export type KeyBatch = ReadonlyMap<string, Uint8Array | null>;

/** The same, each record encoded only when it is written. */
export type KeyChanges = ReadonlyMap<string, (() => Uint8Array) | null>;

export const encoded = (changes: KeyChanges): KeyBatch =>
  new Map([...changes].map(([name, encode]) => [name, encode?.() ?? null]));

export const changesOf = (batch: KeyBatch): KeyChanges =>
  new Map([...batch].map(([name, bytes]) => [name, bytes && (() => bytes)]));
