/** What can be wrong with the first record of a log that does not hold (contract §6). */
export const CHAIN_FAULTS = [
  "changed",
  "missing",
  "inserted",
  "reordered",
  "unanchored",
  /** What is there holds, but a record that was once there is gone: an older copy was put back. */
  "rolled_back",
] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];
