export interface OpenedMail {
  readonly plaintext: Uint8Array;
  /** The call that the sender sealed it for. */
  readonly callId: string | null;
  /** The message has been handled for good. */
  done(): Promise<void>;
}
