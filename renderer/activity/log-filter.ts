import type { CallArgs } from "../../app/bridge/calls.ts";
import type { ActivityRow, ActivityStatus } from "../../app/bridge/views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { DecidedBy } from "../../app/contract/tool-call.ts";

/** Periods that move with the clock; a link to "today" means the day on which it is opened. */
export const TIME_PRESETS = ["hour", "today", "week"] as const;
type TimePreset = (typeof TIME_PRESETS)[number];

/** The period: everything, a preset, or from (inclusive) to (exclusive) in epoch milliseconds. */
export type TimeChoice =
  | { readonly kind: "all" }
  | { readonly kind: TimePreset }
  | { readonly kind: "range"; readonly from: number | null; readonly to: number | null };

/** The filter chosen by the person; null does not filter. */
export interface LogFilter {
  readonly agent_id: string | null;
  readonly tool_name: string | null;
  readonly scope: string | null;
  readonly status: ActivityStatus | null;
  readonly decided_by: DecidedBy | null;
  readonly time: TimeChoice;
  /** What calls are about, the beginning of a call id, or a complete digest; empty: all. */
  readonly find: string;
}

export const NO_FILTER: LogFilter = {
  agent_id: null,
  tool_name: null,
  scope: null,
  status: null,
  decided_by: null,
  time: { kind: "all" },
  find: "",
};

/** The filter as the host expects it, with presets resolved to times. */
export type LogQuery = Omit<CallArgs<"activity.page">, "before_seq" | "limit">;

const DIGEST = /^[0-9a-f]{64}$/i;
const HOUR = 3_600_000;
const WEEK_DAYS = 7;

/** 64 hexadecimal digits are a digest; anything else is a subject, or the beginning of an id. */
const isDigest = (text: string): boolean => DIGEST.test(text);

export const filterCount = (filter: LogFilter): number =>
  [filter.agent_id, filter.tool_name, filter.scope, filter.status, filter.decided_by].filter(
    (each) => each !== null,
  ).length +
  (filter.time.kind === "all" ? 0 : 1) +
  (filter.find === "" ? 0 : 1);

/** @param now epoch milliseconds; presets are relative to it */
export function queryOf(filter: LogFilter, now: number): LogQuery {
  const { agent_id, tool_name, scope, status, decided_by, find } = filter;
  const { from, to } = timeSpan(filter.time, now);
  return {
    ...(agent_id === null ? {} : { agent_id }),
    ...(tool_name === null ? {} : { tool_name }),
    ...(scope === null ? {} : { scope }),
    ...(status === null ? {} : { status }),
    ...(decided_by === null ? {} : { decided_by }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(find === "" ? {} : found(find)),
  };
}

function found(text: string): Pick<LogQuery, "about" | "call_id" | "arguments_digest"> {
  if (isDigest(text)) return { arguments_digest: text.toLowerCase() };
  return text.length > LIMITS.callIdChars ? { about: text } : { about: text, call_id: text };
}

export interface TimeSpan {
  readonly from: number | null;
  readonly to: number | null;
}

/** Days begin at midnight in the person's time zone. */
export function timeSpan(time: TimeChoice, now: number): TimeSpan {
  switch (time.kind) {
    case "all":
      return { from: null, to: null };
    case "hour":
      return { from: now - HOUR, to: null };
    case "today":
      return { from: midnight(now, 0), to: null };
    case "week":
      return { from: midnight(now, WEEK_DAYS - 1), to: null };
    case "range":
      return { from: time.from, to: time.to };
  }
}

function midnight(now: number, daysBack: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBack).getTime();
}

/** Whether a live line may match: only the host knows what a call is about, and decides. */
export const mayMatch = (row: ActivityRow, query: LogQuery): boolean =>
  SAME.every((name) => query[name] === undefined || query[name] === row[name]) &&
  row.timestamp >= (query.from ?? 0) &&
  row.timestamp < (query.to ?? Number.POSITIVE_INFINITY);

const SAME = [
  "agent_id",
  "tool_name",
  "scope",
  "status",
  "decided_by",
  "arguments_digest",
] as const satisfies readonly (keyof LogQuery & keyof ActivityRow)[];
