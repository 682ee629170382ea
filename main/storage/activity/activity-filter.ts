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

/** What is left to compare in lines that were found by their subject or call id. */
export const withoutEither = (filter: LineFilter): LineFilter =>
  filter.subject == null ? filter : { ...filter, call_id: null };

/** Conditions on an entry's texts; its time is checked separately. */
export interface LineTexts {
  readonly conversation_id: string;
  readonly status: string;
  readonly call_id: string;
  readonly agent_id: string;
  readonly tool_name: string;
  readonly scope: string;
  readonly decided_by: string;
  readonly arguments_digest: string;
}

export const hasTexts = (line: LineTexts, filter: LineFilter): boolean =>
  (filter.conversation_id ?? line.conversation_id) === line.conversation_id &&
  (filter.status ?? line.status) === line.status &&
  (filter.agent_id ?? line.agent_id) === line.agent_id &&
  (filter.tool_name ?? line.tool_name) === line.tool_name &&
  (filter.scope ?? line.scope) === line.scope &&
  (filter.decided_by ?? line.decided_by) === line.decided_by &&
  (filter.arguments_digest ?? line.arguments_digest) === line.arguments_digest &&
  line.call_id.startsWith(filter.call_id ?? "");
