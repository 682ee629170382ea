/** What can be wrong with the first record that fails verification (contract §6). */
export const CHAIN_FAULTS = [
  "changed",
  "missing",
  "inserted",
  "reordered",
  "unanchored",
  /** The records are sound, but a later one is missing: an older copy was restored. */
  "rolled_back",
] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];

/** What the log can be written as (docs/audit-log.md). */
export const EXPORT_FORMATS = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
