/** The subject's orders: a store to open, and calls to handle while its disk fails. */
export interface FaultOrder {
  readonly dataDir: string;
  /** The shim's control file. */
  readonly control: string;
  /** The time at which its clock starts, in milliseconds since the epoch. */
  readonly wall: number;
}

export interface AnsweredCall {
  readonly call_id: string;
  readonly status: string;
  readonly reason: string | null;
  /** How often its tool ran. */
  readonly ran: number;
}

export interface FaultReport {
  /** Codes of the failed attempts to open. */
  readonly openings: readonly string[];
  /** The fault occurred, and was lifted before the calls `afterwards`. */
  readonly healed: boolean;
  readonly during: readonly AnsweredCall[];
  /** Handled when the disk worked again, if `healed`. */
  readonly afterwards: readonly AnsweredCall[];
  /** Calls whose only answer was `audit_unavailable`, sent again at the end. */
  readonly again: readonly AnsweredCall[];
  /** `<kind> <call id>` of each record whose promise resolved. */
  readonly acknowledged: readonly string[];
  /** Error codes of maintenance and closing. */
  readonly maintenance: string | null;
  readonly closing: string | null;
}
