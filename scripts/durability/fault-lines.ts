/** What a subject is told: a store to open and calls to handle while its disk fails. */
export interface FaultOrder {
  readonly dataDir: string;
  /** The shim's control file. */
  readonly control: string;
  /** Milliseconds since the epoch at which its clock starts. */
  readonly wall: number;
}

export interface AnsweredCall {
  readonly call_id: string;
  readonly status: string;
  readonly reason: string | null;
  /** How often the tool behind it ran. */
  readonly ran: number;
}

export interface FaultReport {
  /** Codes of the openings that failed. */
  readonly openings: readonly string[];
  /** The fault had come, and was lifted, before the calls `afterwards`. */
  readonly healed: boolean;
  readonly during: readonly AnsweredCall[];
  /** Handled when the disk was well again, if `healed`. */
  readonly afterwards: readonly AnsweredCall[];
  /** Calls that had got no answer but `audit_unavailable`, sent again at the end. */
  readonly again: readonly AnsweredCall[];
  /** `<kind> <call id>` of each record whose promise resolved. */
  readonly acknowledged: readonly string[];
  /** Codes of maintenance and closing, where they failed. */
  readonly maintenance: string | null;
  readonly closing: string | null;
}
