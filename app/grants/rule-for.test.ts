import { describe, expect, it } from "vitest";
import type { RuleSubject } from "../contract/rule.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { readRuleFile, ruleFile } from "./rule-file.ts";
import { offeredSubjects, ruleEndsAt, ruleFault } from "./rule-for.ts";
import { fetching, HASH, pathRule, reading, running, sampleRule } from "./testing/sample-rule.ts";

const HOUR = 3_600_000;

it("a rule ends after its time, today at midnight, or never", () => {
  const ends = (["minutes", "hours", "task", "today", "always"] as const).map((time) =>
    ruleEndsAt(time, 1_000, 5_000),
  );
  expect(ends).toEqual([1_000 + HOUR / 4, 1_000 + 8 * HOUR, 1_000 + 24 * HOUR, 5_000, null]);
});

describe("a card offers", () => {
  it("the narrowest subject first, and none for what sends, runs or is high", () => {
    const path = (at: string) => ({ kind: "path", path: at, names: null });
    const offered = (facts: CallFacts, decidedOnly = false) => offeredSubjects(facts, decidedOnly);
    expect(offered(reading("/p/a"))).toEqual([path("/p/a"), path("/p")]);
    expect(offered(reading("/p/../a"))).toEqual([]);
    expect(offered(reading("/p/.env"))).toEqual([]);
    const edit = factsOf({
      tool_name: "edit_file",
      scope: "agent:edit",
      sensitivity: "medium",
      arguments: { path: "/p/package.json" },
      preview: null,
    });
    expect(offered(edit, true)).toEqual([path("/p/package.json")]);
    const host = { kind: "host", host: "a.test", port: 443, method: "reading" };
    expect(offered(fetching("https://a.test/x"))).toEqual([host, { kind: "anything" }]);
    expect(offered(fetching("https://a.test/x"), true)).toEqual([host]);
    expect(offered(fetching("https://a.test/x", { method: "POST" }))).toEqual([]);
    expect(offered(running(["git"]))).toEqual([]);
    expect(offered({ ...reading("/p/a"), sensitivity: "high" })).toEqual([]);
  });
});

describe("by hand", () => {
  const path: RuleSubject = { kind: "path", path: "/p", names: null };
  const command: RuleSubject = { kind: "command", program: "/usr/bin/git", begins: ["log"] };
  const anything: RuleSubject = { kind: "anything" };
  const high = { sensitivity: "high", lasts: 8 * HOUR } as const;
  const medium = { sensitivity: "medium", lasts: null } as const;

  it.each([
    [null, "read_file", path, medium],
    [null, "filesystem:read", anything, medium],
    ["unknown_tool", "read_files", path, medium],
    ["subject_unfit", "read_file", command, medium],
    ["subject_unfit", "fetch_url", path, medium],
    ["subject_unfit", "read_file", { ...path, path: "/p/../q" }, medium],
    [null, "run_command", command, high],
    [null, "write_file", path, high],
    ["high_too_wide", "write_file", anything, high],
    ["high_too_wide", "write_file", { ...path, names: "*.md" }, high],
    ["high_too_long", "write_file", path, { ...high, lasts: 8 * HOUR + 1 }],
    ["high_too_long", "run_command", command, { ...high, lasts: null }],
  ] as const)("%s: a rule to allow %s for %j under %j", (fault, covers, subject, wanted) => {
    expect(ruleFault({ covers, subject, effect: "allow" }, wanted)).toBe(fault);
  });

  it("what only denies or asks may be as wide and as long as it likes", () => {
    for (const effect of ["deny", "ask"] as const) {
      const words = { covers: "write_file", subject: anything, effect };
      expect(ruleFault(words, { sensitivity: "high", lasts: null })).toBeNull();
    }
  });
});

describe("a file of rules", () => {
  it("has what lasts, without what answers high ones, and is read again", () => {
    const kept = [pathRule("/p", { ends_at: 2_000 }), sampleRule({ effect: "deny" })];
    const left = [
      sampleRule({ for_task: true }),
      sampleRule({ answers_high: true }),
      sampleRule({ ends_at: 1_000 }),
      sampleRule({ manifest_hash: "b".repeat(64) }),
    ];
    const { text, ...counts } = ruleFile([...left, ...kept], HASH, 1_000);
    // What is over is nobody's any more.
    expect(counts).toEqual({ saved: 2, left_out: 2 });
    expect(readRuleFile(text)).toEqual(
      kept.map(({ covers, subject, effect, ends_at }) => ({ covers, subject, effect, ends_at })),
    );
  });

  it("is refused as a whole if it is anything else", () => {
    const rule = { covers: "read_file", subject: { kind: "anything" }, effect: "allow" };
    const about = { format: "consentry-rules", version: 1 };
    for (const file of [
      null,
      {},
      { ...about, version: 2, rules: [] },
      { ...about, rules: [rule] },
      { ...about, rules: [{ ...rule, ends_at: null, answers_high: true }] },
      { ...about, rules: [{ ...rule, ends_at: null, effect: "maybe" }] },
    ]) {
      expect(readRuleFile(JSON.stringify(file))).toBeNull();
    }
    expect(readRuleFile("{")).toBeNull();
    expect(
      readRuleFile(JSON.stringify({ ...about, rules: [{ ...rule, ends_at: null }] })),
    ).toHaveLength(1);
  });
});
