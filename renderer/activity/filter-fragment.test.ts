import { expect, test } from "vitest";
import { filterOf, fragmentOf } from "./filter-fragment.ts";
import { filterCount, type LogFilter, mayMatch, NO_FILTER, queryOf } from "./log-filter.ts";
import { sampleRow } from "./testing/sample-log.ts";

const DIGEST = "0123456789abcdef".repeat(4);
const FULL: LogFilter = {
  agent_id: "agent & co/1",
  tool_name: "read_file",
  scope: "filesystem:read",
  status: "interrupted",
  decided_by: "standing_rule",
  time: { kind: "range", from: 1_000, to: 2_000 },
  find: "call #7?",
};

test.each<[string, LogFilter]>([
  ["none", NO_FILTER],
  ["every part", FULL],
  ["a preset", { ...NO_FILTER, time: { kind: "week" } }],
  ["an open range", { ...NO_FILTER, time: { kind: "range", from: 5, to: null } }],
])("a filter survives the address: %s", (_name, filter) => {
  expect(filterOf(fragmentOf(filter))).toEqual(filter);
});

test("no filter leaves the address bare, and is counted as none", () => {
  expect(fragmentOf(NO_FILTER)).toBe("");
  expect(filterCount(NO_FILTER)).toBe(0);
  expect(filterCount(FULL)).toBe(7);
});

test.each([
  "status=broken",
  "rule=me",
  "time=never",
  "from=-1",
  "from=1e9",
  "to=99999999999999999999",
  `agent=${"x".repeat(129)}`,
  "find=%20",
  "token=secret",
])("what the address says wrongly narrows nothing: %s", (fragment) => {
  expect(filterOf(fragment)).toEqual(NO_FILTER);
});

test("64 hexadecimal digits are looked for as a digest, anything else is what a call is about or begins its id", () => {
  const find = (text: string) => queryOf({ ...NO_FILTER, find: text }, 0);
  expect(find(DIGEST.toUpperCase())).toEqual({ arguments_digest: DIGEST });
  expect(find(DIGEST.slice(1))).toEqual({ about: DIGEST.slice(1), call_id: DIGEST.slice(1) });
  const long = `/${"x".repeat(200)}`;
  expect(find(long)).toEqual({ about: long });
});

test("presets begin at the person's own midnight", () => {
  const now = new Date(2026, 6, 9, 15, 30).getTime();
  const from = (kind: "hour" | "today" | "week") =>
    queryOf({ ...NO_FILTER, time: { kind } }, now).from;
  expect(from("hour")).toBe(now - 3_600_000);
  expect(from("today")).toBe(new Date(2026, 6, 9).getTime());
  expect(from("week")).toBe(new Date(2026, 6, 3).getTime());
});

test("a live line is judged by every part of the filter that a page can judge", () => {
  const line = sampleRow(1_500, { agent_id: FULL.agent_id ?? "", call_id: "call #7?x" });
  const fits = {
    ...line,
    scope: "filesystem:read",
    status: "interrupted",
    decided_by: "standing_rule",
  } as const;
  const query = queryOf(FULL, 0);
  expect(mayMatch(fits, query)).toBe(true);
  expect(mayMatch({ ...fits, call_id: "x" }, query)).toBe(true);
  const others = [
    { agent_id: "b" },
    { tool_name: "t" },
    { scope: "s" },
    { status: "ok" },
    { decided_by: "person" },
    { timestamp: 2_000 },
    { timestamp: 999 },
  ] as const;
  for (const other of others) expect(mayMatch({ ...fits, ...other }, query)).toBe(false);
  expect(mayMatch(line, { arguments_digest: DIGEST })).toBe(false);
});
