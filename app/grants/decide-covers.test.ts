import { describe, expect, it } from "vitest";
import type { RuleSubject } from "../contract/rule.ts";
import { type CallFacts, factsOf } from "./call-facts.ts";
import { ruleCovers } from "./decide.ts";
import { fetching, pathRule, reading, running, sampleRule } from "./testing/sample-rule.ts";

const host = (name: string, port = 443, method: "reading" | "sending" | "any" = "reading") =>
  ({ kind: "host", host: name, port, method }) as const;
const files = (path: string, names: string | null = null) =>
  ({ kind: "path", path, names }) as const;
const git = (...begins: string[]) =>
  ({ kind: "command", program: "/usr/bin/git", begins }) as const;

/** A subject, a call, and whether an allow and a deny rule cover it. */
const TABLE: readonly (readonly [RuleSubject, CallFacts, boolean, boolean])[] = [
  [files("/p"), reading("/p/a"), true, true],
  [files("/p"), reading("/p"), true, true],
  [files("/p"), reading("/pa"), false, false],
  [files("/p"), reading("/q/a"), false, false],
  [files("/p/a"), reading("/p/../p/a"), false, true],
  [files("/p"), reading("/q/../p/a"), false, true],
  [files("/p"), reading("p/a"), false, true],
  [files("/p"), reading("/P/a"), false, true],
  [files("/p\u00e9"), reading("/pe\u0301/a"), false, true],
  [files("C:\\p"), reading("c:/P/a"), true, true],
  [files("/p", "*.md"), reading("/p/b/notes.md"), true, true],
  [files("/p", "*.md"), reading("/p/notes.md.exe"), false, false],
  [files("/p", "*.md"), reading("/p/NOTES.MD"), false, true],
  [files("/p", "a?c*e*"), reading("/p/abcdefe"), true, true],
  [files("/p", "*.*"), reading("/p/plain"), false, false],
  [files("/p", "a.b"), reading("/p/axb"), false, false],
  [files("/p", "ab*b"), reading("/p/ab"), false, false],
  [host("a.test"), fetching("https://a.test/x?y"), true, true],
  [host("a.test"), fetching("https://A.TEST/x"), true, true],
  [host("a.test"), fetching("https://a.test./x"), false, true],
  [host("a.test"), fetching("http://a.test/x"), false, false],
  [host("a.test"), fetching("https://a.test:8443/x"), false, false],
  [host("a.test"), fetching("https://b.a.test/x"), false, false],
  [host("a.test"), fetching("https://a.test@b.test/x"), false, false],
  [host("a.test"), fetching("https://a.test", { method: "HEAD" }), true, true],
  [host("a.test"), fetching("https://a.test", { method: "POST" }), false, false],
  [host("a.test"), fetching("https://a.test", { headers: { Authorization: "x" } }), false, false],
  [host("a.test", 443, "sending"), fetching("https://a.test", { method: "POST" }), true, true],
  [host("a.test", 443, "sending"), fetching("https://a.test"), false, false],
  [host("a.test", 443, "any"), fetching("https://a.test", { method: "POST" }), true, true],
  [{ kind: "anything" }, fetching("https://a.test"), true, true],
  [{ kind: "anything" }, fetching("https://a.test", { method: "POST" }), false, true],
  [git("status"), running(["git", "status"]), true, true],
  [git("status"), running(["git", "status", "-s"]), true, true],
  [git("status"), running(["git", "statusx"]), false, false],
  [git("status"), running(["git", "-C", "/", "status"]), false, false],
  [git("status"), running(["git"]), false, false],
  [git("status"), running(["git", "status"], { program: "/proj/git" }), false, false],
  [git("status"), running(["git", "status"], { sandbox: null }), false, true],
  [git("status"), running(["git", "status"], { network: true }), false, true],
  [git("status"), running(["git", "status"], null), false, true],
  [git("status"), running(["/opt/GIT.exe", "status"], null), false, true],
  [git("status"), running(["hg", "status"], null), false, false],
  [git(), running(["git", "config", "x", "--file=/proj/.git/config"]), false, true],
  [files("/proj"), running(["make"]), true, true],
  [files("/proj/a"), running(["make"]), false, false],
  [files("/p"), running(["make"]), false, false],
];

describe("a rule covers a call", () => {
  const rule = (effect: "allow" | "deny" | "ask", subject: RuleSubject, { tool_name }: CallFacts) =>
    sampleRule({ effect, subject, covers: tool_name, answers_high: true });

  it.each(TABLE)(
    "%j, %j: to allow it %s, to deny it or ask %s",
    (subject, facts, allows, denies) => {
      expect(ruleCovers(rule("allow", subject, facts), facts)).toBe(allows);
      expect(ruleCovers(rule("deny", subject, facts), facts)).toBe(denies);
      expect(ruleCovers(rule("ask", subject, facts), facts)).toBe(denies);
    },
  );

  it("of its tool under any alias, or of any tool of its scope, and of no other", () => {
    const facts = fetching("https://a.test");
    const alias = { ...facts, ...factsOf({ ...call("fetch_web_page"), scope: "network:http" }) };
    expect(ruleCovers(sampleRule({ covers: "fetch_url" }), alias)).toBe(true);
    expect(ruleCovers(sampleRule({ covers: "network:http" }), facts)).toBe(true);
    expect(ruleCovers(sampleRule({ covers: "filesystem:read" }), facts)).toBe(false);
    expect(ruleCovers(sampleRule({ covers: "read_file", effect: "deny" }), facts)).toBe(false);
  });

  it("with several places only if it allows all of them, or denies one", () => {
    const move = (from: string, to: string) => ({
      ...factsOf({ ...call("move_file"), arguments: { from, to } }),
      sensitivity: "medium" as const,
    });
    const rule = { covers: "move_file" };
    expect(ruleCovers(pathRule("/p", rule), move("/p/a", "/p/b"))).toBe(true);
    expect(ruleCovers(pathRule("/p", rule), move("/p/a", "/q/b"))).toBe(false);
    expect(ruleCovers(pathRule("/p", { ...rule, effect: "deny" }), move("/q/a", "/p/b"))).toBe(
      true,
    );
  });

  it("that goes through a folder with something denied inside", () => {
    const deny = { effect: "deny", covers: "search_files" } as const;
    const search = factsOf({ ...call("search_files"), arguments: { path: "/p" } });
    expect(ruleCovers(pathRule("/p/secret", deny), search)).toBe(true);
    expect(ruleCovers(pathRule("/p/secret", { ...deny, effect: "allow" }), search)).toBe(false);
    expect(ruleCovers(pathRule("/q", deny), search)).toBe(false);
  });

  it("that is high only if it was made for that, never where the card marks the place", () => {
    const write = (path: string) =>
      factsOf({ ...call("write_file"), sensitivity: "high", arguments: { path } });
    const rule = pathRule("/p", { covers: "write_file", answers_high: true });
    expect(ruleCovers(rule, write("/p/a"))).toBe(true);
    expect(ruleCovers({ ...rule, answers_high: false }, write("/p/a"))).toBe(false);
    for (const place of [".git/hooks/pre-commit", ".bashrc", ".ssh/id_ed25519", ".env"]) {
      expect(ruleCovers(rule, write(`/p/${place}`))).toBe(false);
      expect(ruleCovers({ ...rule, effect: "deny" }, write(`/p/${place}`))).toBe(true);
    }
  });
});

it.each([
  ["git", [], ["git", "-c", "core.pager=x", "log"], false],
  ["git", [], ["git", "log", "--outp=x"], false],
  ["git", [], ["git", "--exec-path=/tmp", "log"], false],
  ["git", [], ["git", "config", "core.hooksPath", "/tmp"], false],
  ["git", [], ["git", "own-subcommand"], false],
  ["git", [], ["git", "log", "--oneline", "-n", "5"], true],
  ["git", ["-c", "core.pager=x"], ["git", "-c", "core.pager=x", "log"], true],
  ["rg", [], ["rg", "--pre", "sh", "x"], false],
  ["rg", [], ["rg", "--pr=sh", "x"], false],
  ["find", ["."], ["find", ".", "-name", "x"], true],
  ["find", ["."], ["find", ".", "-delete"], false],
  ["find", ["."], ["find", ".", "-exec", "rm", "{}", "+"], false],
  ["find", [".", "-exec", "wc"], ["find", ".", "-exec", "wc", "-l", "{}", "+"], false],
  ["tar", [], ["tar", "xf", "a.tar"], false],
  ["tar", [], ["tar", "tf", "a.tar", "--use-compress-program=sh"], false],
  ["sort", [], ["sort", "-uo.bashrc", "x"], false],
  ["sed", [], ["sed", "-n", "1,5p", "x"], true],
  ["sed", [], ["sed", "1e sh", "x"], false],
  ["sed", [], ["sed", "-i", "s/a/b/", "x"], false],
  ["awk", [], ["awk", "{print $1}", "x"], true],
  ["awk", [], ["awk", "BEGIN{system(1)}"], false],
  ["npm", [], ["npm", "test"], true],
  ["npm", [], ["npm", "--prefix", "/tmp", "test"], false],
  ["npm", [], ["npm", "exec", "x"], false],
  ["npm", ["exec"], ["npm", "exec", "x"], false],
  ["make", [], ["make", "test"], true],
  ["make", [], ["make", "SHELL=x", "test"], false],
  ["go", ["test"], ["go", "test", "./..."], true],
  ["go", ["test"], ["go", "test", "-exec", "sh"], false],
  ["go", ["test"], ["go", "test", "--exec=sh"], false],
  ["cargo", ["test"], ["cargo", "test", "--conf", "x"], false],
  ["env", ["A=1", "make"], ["env", "A=1", "make", "B=2"], false],
  ["timeout", ["9", "git"], ["timeout", "9", "git", "-c", "a.b=c", "log"], false],
  ["python3", ["x.py"], ["python3", "x.py", "--any"], true],
  ["sh", ["-c", "make"], ["sh", "-c", "make", "sh"], false],
  ["xargs", ["git"], ["xargs", "git", "log"], false],
  ["own", [], ["own", "-c", "--exec"], true],
] as const)("a rule to allow %s %j covers %j: %s", (program, starts, argv, expected) => {
  const subject: RuleSubject = {
    kind: "command",
    program: `/usr/bin/${program}`,
    begins: [...starts],
  };
  const rule = sampleRule({ subject, covers: "run_command", answers_high: true });
  expect(ruleCovers(rule, running(argv, { program: `/usr/bin/${program}` }))).toBe(expected);
});

describe("a special place", () => {
  const write = (path: string) =>
    factsOf({ ...call("write_file"), sensitivity: "high", arguments: { path } });
  const rule = (subject: RuleSubject) =>
    sampleRule({ covers: "write_file", answers_high: true, subject });

  it.each([
    ".mcp.json",
    "CLAUDE.md",
    ".vscode/tasks.json",
    ".gdbinit",
    "x.desktop",
    "sub/AGENTS.md",
  ])("that runs or grants by itself is changed by no rule: %s", (place) => {
    for (const path of ["/p", "/p/sub", `/p/${place}`]) {
      expect(ruleCovers(rule(files(path)), write(`/p/${place}`))).toBe(false);
    }
    expect(ruleCovers(rule(files("/p", place)), write(`/p/${place}`))).toBe(false);
  });

  it.each(["package.json", "Makefile", "conftest.py", "node_modules/x/index.js"])(
    "that runs at the next build or test is changed only by a rule that names it: %s",
    (place) => {
      const path = `/p/${place}`;
      const name = place.replace(/.*\//, "");
      expect(ruleCovers(rule(files("/p")), write(path))).toBe(false);
      expect(ruleCovers(rule(files("/p", "*")), write(path))).toBe(false);
      expect(ruleCovers(rule(files(path)), write(path))).toBe(true);
      expect(ruleCovers(rule(files("/p", name)), write(path))).toBe(true);
    },
  );

  it("counts for what is moved there, and for what is moved away", () => {
    const move = (from: string, to: string) =>
      factsOf({ ...call("move_file"), sensitivity: "high", arguments: { from, to } });
    const moving = { ...rule(files("/p")), covers: "move_file" };
    expect(ruleCovers(moving, move("/p/a", "/p/b"))).toBe(true);
    expect(ruleCovers(moving, move("/p/a", "/p/.vscode"))).toBe(false);
    expect(ruleCovers(moving, move("/p/a", "/p/Makefile"))).toBe(false);
    expect(ruleCovers(moving, move("/p/.git/hooks", "/p/a"))).toBe(false);
  });

  it("is read like any other, but for keys and passwords, which no rule allows to read", () => {
    for (const place of ["package.json", "CLAUDE.md", ".vscode/tasks.json"]) {
      expect(ruleCovers(pathRule("/p"), reading(`/p/${place}`)), place).toBe(true);
    }
    for (const place of [".env", ".ssh/config", "id_rsa"]) {
      expect(ruleCovers(pathRule("/p"), reading(`/p/${place}`)), place).toBe(false);
      expect(ruleCovers(sampleRule(), reading(`/p/${place}`)), place).toBe(false);
    }
  });
});

const call = (tool_name: string) =>
  ({ tool_name, scope: "", sensitivity: "medium", arguments: {}, preview: null }) as const;
