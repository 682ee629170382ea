import type { ActivityPage, ActivityRow } from "../../../app/bridge/views.ts";
import { type LogQuery, mayMatch } from "../log-filter.ts";

export const sampleRow = (seq: number, part: Partial<ActivityRow> = {}): ActivityRow => ({
  line_id: seq,
  seq,
  call_id: `c${seq}`,
  agent_id: "a",
  agent_name: "A",
  tool_name: "read_file",
  scope: "filesystem:read",
  arguments_digest: "0".repeat(64),
  conversation_id: "k",
  status: "ok",
  reason: null,
  error_code: null,
  carried_out: null,
  decided_by: "person",
  rule_id: null,
  given_at: null,
  given_on: null,
  timestamp: seq,
  duration_ms: 1,
  ...part,
});

/** A host with a log of any length: lines are generated on request. */
export class SampleLog {
  newest: number;
  asked = 0;
  readonly #line: (seq: number) => ActivityRow;
  readonly #reach: number;

  /** @param reach how many lines one request searches */
  constructor(newest: number, reach: number, line: (seq: number) => ActivityRow = sampleRow) {
    this.newest = newest;
    this.#reach = reach;
    this.#line = line;
  }

  readonly page = async (
    args: LogQuery & { readonly limit: number; readonly before_seq?: number },
  ): Promise<ActivityPage> => {
    this.asked += 1;
    const rows: ActivityRow[] = [];
    let seq = Math.min(this.newest + 1, args.before_seq ?? Number.POSITIVE_INFINITY);
    const floor = Math.max(1, seq - this.#reach);
    while (seq > floor && rows.length < args.limit) {
      seq -= 1;
      const row = this.#line(seq);
      if (mayMatch(row, args)) rows.push(row);
    }
    return { rows, next_before_seq: seq === 1 ? null : seq };
  };
}
