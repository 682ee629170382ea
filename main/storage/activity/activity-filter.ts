import type { ActivityStatus } from "../../../app/bridge/views.ts";
import type { DecidedBy } from "../../../app/contract/tool-call.ts";

/** Which log entries to read; each property narrows the selection. */
export interface LineFilter {
  readonly conversation_id?: string | null;
  readonly agent_id?: string | null;
  readonly tool_name?: string | null;
  readonly scope?: string | null;
  readonly status?: ActivityStatus | null;
  readonly decided_by?: DecidedBy | null;
  /** Milliseconds since the epoch, inclusive. */
  readonly from?: number | null;
  /** Milliseconds since the epoch, exclusive. */
  readonly to?: number | null;
  /** The beginning of a call id. */
  readonly call_id?: string | null;
  readonly arguments_digest?: string | null;
  /**
   * The digest of what a call is about, in lowercase hex. Beside `call_id`, a line matches that has
   * either.
   */
  readonly subject?: string | null;
}

/** What to count, and where to go on. */
export interface SummaryFilter extends LineFilter {
  /** Only lines before this one; the last answer's `next_before_seq`. */
  readonly before_seq?: number | null;
}

export interface ActivityFilter extends SummaryFilter {
  /** Lines per page, 1 to 500. */
  readonly limit: number;
}
