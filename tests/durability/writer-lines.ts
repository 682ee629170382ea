import type { ChainHead } from "../../app/audit/verify-chain.ts";

/** What a writer was doing when it was killed, as it reported itself. */
export const STAGES = [
  "starting",
  "migrating",
  "opening",
  "checking",
  "writing",
  "checkpointing",
  "purging",
  "closing",
  "closed",
] as const;
export type Stage = (typeof STAGES)[number];

/** A record whose promise resolved, and its position at that time. */
export interface Acknowledged {
  readonly kind: "intent" | "outcome";
  readonly call_id: string;
  readonly seq: number;
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** What was found right after opening, before anything new was written. */
export interface Checked {
  readonly head: ChainHead;
  /** Records that are new since the previous check. */
  readonly records: number;
  readonly interrupted: number;
  /** Number of records in the whole log, if it was a full check; otherwise 0. */
  readonly verified: number;
}

export type WriterLine =
  | { readonly type: "stage"; readonly stage: Stage }
  | { readonly type: "acknowledged"; readonly record: Acknowledged }
  | { readonly type: "checked"; readonly checked: Checked }
  | { readonly type: "fault"; readonly fault: string };

/** What follows the first series of writes; all but `more_writing` end with a clean close. */
const ENDINGS = ["more_writing", "checkpoint", "purge", "close"] as const;

export interface WriterOrder {
  readonly dataDir: string;
  /** The file outside the data folder that says how far the log has come. */
  readonly anchor: string;
  /** A file of `Acknowledged` lines, and the offset of the first line not yet checked. */
  readonly acknowledgements: string;
  readonly uncheckedFrom: number;
  readonly lastChecked: ChainHead;
  /** Compares everything ever acknowledged, not only what is new. */
  readonly full: boolean;
  /** Prefix of this writer's call ids. */
  readonly name: string;
  /** The time at which its clock starts, in milliseconds since the epoch. */
  readonly wall: number;
  readonly callsAtOnce: number;
  readonly callsEach: number;
  readonly ending: (typeof ENDINGS)[number];
  /** How far its clocks jump ahead before a purge, in milliseconds. */
  readonly jumpMs: number;
}
