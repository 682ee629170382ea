import { ACTIVITY_STATUSES } from "../../app/bridge/views.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { DECIDED_BY } from "../../app/contract/tool-call.ts";
import { type LogFilter, TIME_PRESETS, type TimeChoice } from "./log-filter.ts";

const TOOL_CHARS = 64;
const ID_CHARS = 128;

/** The filter in an address after `#/activity?`; "" for none. Never with pasted arguments. */
export function fragmentOf(filter: LogFilter): string {
  const params = new URLSearchParams();
  const put = (name: string, value: string | number | null): void => {
    if (value !== null && value !== "") params.set(name, String(value));
  };
  put("agent", filter.agent_id);
  put("tool", filter.tool_name);
  put("scope", filter.scope);
  put("status", filter.status);
  put("rule", filter.decided_by);
  if (filter.time.kind === "range") {
    put("from", filter.time.from);
    put("to", filter.time.to);
  } else if (filter.time.kind !== "all") put("time", filter.time.kind);
  put("find", filter.find);
  return params.toString();
}

/** The filter in an address; anything invalid is ignored. */
export function filterOf(fragment: string): LogFilter {
  const params = new URLSearchParams(fragment);
  return {
    agent_id: text(params, "agent", ID_CHARS),
    tool_name: text(params, "tool", TOOL_CHARS),
    scope: text(params, "scope", ID_CHARS),
    status: word(params, "status", ACTIVITY_STATUSES),
    decided_by: word(params, "rule", DECIDED_BY),
    time: timeOf(params),
    find: text(params, "find", LIMITS.subjectChars) ?? "",
  };
}

function text(params: URLSearchParams, name: string, longest: number): string | null {
  const value = params.get(name)?.trim() ?? "";
  return value === "" || value.length > longest ? null : value;
}

function word<W extends string>(
  params: URLSearchParams,
  name: string,
  words: readonly W[],
): W | null {
  return words.find((each) => each === params.get(name)) ?? null;
}

function timeOf(params: URLSearchParams): TimeChoice {
  const from = moment(params.get("from"));
  const to = moment(params.get("to"));
  if (from !== null || to !== null) return { kind: "range", from, to };
  return { kind: word(params, "time", TIME_PRESETS) ?? "all" };
}

/** Enough digits for any valid date: up to the year 10889. */
const moment = (value: string | null): number | null =>
  value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
