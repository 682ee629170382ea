/**
 * Whether messages travel encrypted: the one switch of both ends, the person's client and the SDK.
 * Off, envelopes are plain (version 0); on, a plain one is never accepted.
 */
export const ENCRYPTED: boolean = false;
