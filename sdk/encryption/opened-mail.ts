/** An envelope that needs no keys is opened at once. */
export type Soon<T> = T | Promise<T>;

export interface OpenedMail {
  readonly plaintext: Uint8Array;
  /** The call that the sender says it is about; `undefined` where nothing says so. */
  readonly callId: string | null | undefined;
  /** The message has been handled for good. */
  done(): Soon<void>;
}
