/**
 * Whether messages travel encrypted. Both ends have to agree: the SDK, the hub's pairing and the
 * client. While it is false the keys are there, shown and backed up, and envelopes are plain.
 */
export const ENCRYPTED: boolean = false;
