/** Envelopes that need no keys are there at once. */
export type Soon<T> = T | Promise<T>;

export interface OpenedMail {
  readonly plaintext: Uint8Array;
  /** What the sender says it is about; `undefined` where nothing says so. */
  readonly callId: string | null | undefined;
  /** The message is dealt with for good. */
  done(): Soon<void>;
}
