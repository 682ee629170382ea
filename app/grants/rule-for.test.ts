import { describe, expect, it } from "vitest";
import { AGENT_CATALOGUE } from "../contract/agent-catalogue.ts";
import { CATALOGUE } from "../contract/catalogue.ts";
import type { RuleEffect, RuleSubject } from "../contract/rule.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { isKept, readRuleFile, ruleFile, weakenedBy } from "./rule-file.ts";
import { offeredSubjects, plainSubject, ruleEndsAt, ruleFault } from "./rule-for.ts";
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
  const declared = [...CATALOGUE.values()];
  const high = { declared, sensitivity: "high", lasts: 8 * HOUR } as const;
  const medium = { declared, sensitivity: "medium", lasts: null } as const;
  const own = { ...medium, declared: [...AGENT_CATALOGUE.values()] } as const;
  const host = (name: string): RuleSubject => ({
    kind: "host",
    host: name,
    port: 443,
    method: "any",
  });
  const running = (program: string, ...begins: string[]): RuleSubject => ({
    kind: "command",
    program: `/usr/bin/${program}`,
    begins,
  });

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
    ["subject_unfit", "agent:command", path, own],
    ["dangerous", "agent:command", running("git", "push", "--force"), own],
    ["dangerous", "run_command", running("rm", "-rf", "build"), own],
    ["shell_word", "agent:command", running("test", "-f"), own],
    ["shell_word", "run_command", running("printf"), own],
    ["special_place", "agent:command", running("cat", ".ssh/id_ed25519"), own],
    ["runs_anything", "agent:command", running("bash"), own],
    [null, "agent:command", running("git", "push"), own],
    [null, "agent:command", anything, own],
    ["subject_unfit", "fetch_url", host("*.a.test"), medium],
    ["subject_unfit", "fetch_url", host("https://a.test"), medium],
    ["subject_unfit", "fetch_url", host("A.test"), medium],
    ["subject_unfit", "fetch_url", host("a.test."), medium],
    ["subject_unfit", "fetch_url", host("bücher.test"), medium],
    [null, "fetch_url", host("xn--bcher-kva.test"), medium],
    ["not_declared", "read_file", path, { ...medium, declared: [] }],
    ["special_place", "read_file", { ...path, path: "/h/.ssh" }, medium],
    ["special_place", "write_file", { ...path, path: "/p/.vscode/tasks.json" }, high],
    ["special_place", "write_file", { ...path, names: "CLAUDE.md" }, high],
    [null, "read_file", { ...path, path: "/p/.vscode/tasks.json" }, medium],
    ["runs_anything", "run_command", running("sh", "-c"), high],
    ["runs_anything", "run_command", running("bash"), high],
    ["runs_anything", "run_command", running("env"), high],
    ["runs_anything", "run_command", running("env", "A=1", "bash"), high],
    ["runs_anything", "run_command", running("python3.13", "-c"), high],
    ["runs_anything", "run_command", running("xargs"), high],
    ["runs_anything", "run_command", running("sudo"), high],
    ["runs_anything", "run_command", running("npx"), high],
    ["runs_anything", "run_command", running("nohup"), high],
    ["runs_anything", "run_command", running("timeout", "60"), high],
    ["runs_anything", "run_command", running("find", ".", "-exec"), high],
    ["runs_anything", "run_command", running("find", ".", "-exec", "sh"), high],
    ["runs_anything", "run_command", running("git", "-c"), high],
    [null, "run_command", running("python3", "-m", "pytest"), high],
    [null, "run_command", running("sh", "build.sh"), high],
    [null, "run_command", running("sh", "-c", "make test"), high],
    [null, "run_command", running("timeout", "60", "make"), high],
    [null, "run_command", running("find"), high],
  ] as const)("%s: a rule to allow %s for %j under %j", (fault, covers, subject, wanted) => {
    expect(ruleFault({ covers, subject, effect: "allow" }, wanted)).toBe(fault);
  });

  it("what only denies or asks may be as wide and as long as it likes", () => {
    for (const effect of ["deny", "ask"] as const) {
      const words = { covers: "write_file", subject: anything, effect };
      expect(ruleFault(words, { declared: [], sensitivity: "high", lasts: null })).toBeNull();
      const any = { covers: "run_command", subject: running("bash"), effect };
      expect(ruleFault(any, { ...high, lasts: null })).toBeNull();
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
    const twice = JSON.stringify({ ...about, rules: [{ ...rule, ends_at: null }] });
    expect(readRuleFile(twice.replace('"effect":', '"effect":"deny","effect":'))).toBeNull();
    expect(
      readRuleFile(JSON.stringify({ ...about, rules: [{ ...rule, ends_at: null }] })),
    ).toHaveLength(1);
  });
});

describe("a rule from a file", () => {
  const fileRule = (subject: RuleSubject, covers = "read_file", effect: RuleEffect = "allow") => ({
    covers,
    subject,
    effect,
    ends_at: null,
  });
  const at = (path: string, names: string | null = null): RuleSubject => ({
    kind: "path",
    path,
    names,
  });
  const deny = (subject: RuleSubject, covers = "read_file") =>
    sampleRule({ effect: "deny", subject, covers });

  it.each([
    ["a narrower one than what is denied", at("/p/a"), deny(at("/p"))],
    ["in other letter case", at("/P/a"), deny(at("/p"))],
    ["for names where all are denied", at("/p", "*.md"), deny(at("/p"))],
    ["for a deeper folder than the names that are denied", at("/p/a"), deny(at("/p", "*.env"))],
    ["for what anything is denied", at("/p"), deny({ kind: "anything" })],
    ["for one tool where its permission is denied", at("/p"), deny(at("/p"), "filesystem:read")],
    ["of the same subject", at("/p"), deny(at("/p"))],
    ["where it would be asked", at("/p/a"), { ...deny(at("/p")), effect: "ask" as const }],
  ])("does not weaken the person's without a word: %s", (_, subject, own) => {
    expect(weakenedBy(fileRule(subject), [own])).toEqual([own]);
  });

  it.each([
    ["wider", at("/p"), deny(at("/p/a"))],
    ["elsewhere", at("/q/a"), deny(at("/p"))],
    ["for another tool", at("/p/a"), deny(at("/p"), "write_file")],
    ["less strict", at("/p/a"), sampleRule({ subject: at("/p") })],
  ])("is added beside one that is %s", (_, subject, own) => {
    expect(weakenedBy(fileRule(subject), [own])).toEqual([]);
  });

  it("of a command's beginning weakens what denies less of it, or the folder that it runs in", () => {
    const git = (...begins: string[]): RuleSubject => ({
      kind: "command",
      program: "/usr/bin/git",
      begins,
    });
    const allow = fileRule(git("push", "origin"), "run_command");
    for (const subject of [git("push"), git(), at("/p")]) {
      expect(weakenedBy(allow, [deny(subject, "run_command")])).toHaveLength(1);
    }
    for (const subject of [git("log"), git("push", "origin", "main")]) {
      expect(weakenedBy(allow, [deny(subject, "run_command")])).toEqual([]);
    }
  });

  it("that the agent has is kept", () => {
    expect(isKept(fileRule(at("/p")), [sampleRule({ subject: at("/p") })])).toBe(true);
    expect(isKept(fileRule(at("/p")), [deny(at("/p"))])).toBe(false);
  });

  it.each([
    ["HTTPS://Bücher.test./", "xn--bcher-kva.test"],
    ["a.test.", "a.test"],
    ["FD00::1", "fd00::1"],
    ["127.1", "127.0.0.1"],
  ])("names a host as calls do: %s", (written, host) => {
    const subject = { kind: "host", host: written, port: 443, method: "any" } as const;
    expect(plainSubject(subject)).toEqual({ ...subject, host });
  });

  it.each(["*.a.test", "a.test/x", "u@a.test", "a.test:80", "ftp://a.test", "", "."])(
    "names a host that no call can name: %j",
    (host) => {
      expect(plainSubject({ kind: "host", host, port: 443, method: "any" })).toBeNull();
    },
  );
});
