import type { ChainHead } from "../../app/audit/verify-chain.ts";

/** What a writer was doing, as it said itself, when it was killed. */
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

/** A record whose promise resolved, and where it then stood. */
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
  /** Records that were not there at the check before. */
  readonly records: number;
  readonly interrupted: number;
  /** Records of the whole log, in a full check; else 0. */
  readonly verified: number;
}

export type WriterLine =
  | { readonly type: "stage"; readonly stage: Stage }
  | { readonly type: "acknowledged"; readonly record: Acknowledged }
  | { readonly type: "checked"; readonly checked: Checked }
  | { readonly type: "fault"; readonly fault: string };

/** What comes after the first burst of writing; each but `more_writing` ends in a clean close. */
const ENDINGS = ["more_writing", "checkpoint", "purge", "close"] as const;

export interface WriterOrder {
  readonly dataDir: string;
  /** The note outside the data folder of how far the log has come. */
  readonly anchor: string;
  /** A file of `Acknowledged` lines, and the byte where those not yet checked begin. */
  readonly acknowledgements: string;
  readonly uncheckedFrom: number;
  readonly lastChecked: ChainHead;
  /** Compares everything that was ever acknowledged, not only what is new. */
  readonly full: boolean;
  /** What call ids of this writer begin with. */
  readonly name: string;
  /** Milliseconds since the epoch at which its clock starts. */
  readonly wall: number;
  readonly callsAtOnce: number;
  readonly callsEach: number;
  readonly ending: (typeof ENDINGS)[number];
  /** Milliseconds its clocks jump ahead before a purge. */
  readonly jumpMs: number;
}
