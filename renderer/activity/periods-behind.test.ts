import { expect, test } from "vitest";
import type { QuietPeriodView, RuleView } from "../../app/bridge/views.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { periodsBehind, rulesBehind } from "./periods-behind.ts";
import { sampleRow } from "./testing/sample-log.ts";

const folder = (path: string): QuietPeriodView => ({
  agent_id: "a",
  conversation_id: "k",
  scope: "filesystem:read",
  subject: { kind: "folder", path },
  opened_at: 5,
  ends_at: 100,
  made_on: "c1",
});
const whole: QuietPeriodView = { ...folder("/"), subject: { kind: "scope" } };
const row = sampleRow(7, { decided_by: "window" });
const about = (path: string) => ({
  ...row,
  target: callTarget({ tool_name: "read_file", arguments: { path }, preview: null, folders: [] }),
});

test("what a call was about tells which quiet period decided it", () => {
  const all = [folder("/home/ada"), folder("/srv"), whole];
  expect(periodsBehind(about("/home/ada/notes.md"), all)).toEqual([folder("/home/ada"), whole]);
  expect(periodsBehind(row, all)).toEqual(all);
});

test("one that began later, elsewhere or for something else did not decide it", () => {
  const others = [
    { ...whole, opened_at: 8 },
    { ...whole, conversation_id: "other" },
    { ...whole, scope: "network:http" },
  ];
  expect(periodsBehind(row, others)).toEqual([]);
});

const ruleFor = (path: string, more: Partial<RuleView> = {}): RuleView => ({
  rule_id: path,
  agent_id: "a",
  covers: "read_file",
  subject: { kind: "path", path, names: null },
  effect: "allow",
  ends_at: null,
  for_task: false,
  answers_high: false,
  made_at: 5,
  made_on: null,
  last_used_at: 7,
  uses: 1,
  ...more,
});

test("what a call was about, and how it ended, tells which rule decided it", () => {
  const decided = { ...about("/home/ada/notes.md"), tool_name: "read_file" };
  const home = ruleFor("/home/ada");
  const rules = [
    home,
    ruleFor("/srv"),
    ruleFor("/home", { effect: "deny" }),
    ruleFor("/home", { effect: "ask" }),
    ruleFor("/home", { covers: "write_file" }),
    ruleFor("/home", { made_at: 8 }),
  ];
  expect(rulesBehind(decided, rules)).toEqual([home]);
  const denied = { ...decided, status: "denied" as const, reason: "user_refused" as const };
  expect(rulesBehind(denied, rules)).toEqual([rules[2]]);
});
