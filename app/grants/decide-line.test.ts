import { describe, expect, it } from "vitest";
import type { RuleSubject } from "../contract/rule.ts";
import { factsOf } from "./call-facts.ts";
import { decideLine } from "./decide-line.ts";
import { lineSubject, lineSubjects } from "./line-offers.ts";
import type { QuietPeriod } from "./quiet-period.ts";
import { sampleLine } from "./testing/found-line.ts";
import { HASH, pathRule, sampleRule } from "./testing/sample-rule.ts";

const command = (text: string): RuleSubject => {
  const [name = "", ...begins] = text.split(" ");
  return { kind: "command", program: `/usr/bin/${name}`, begins };
};
const rule = (effect: "allow" | "ask" | "deny", text: string) =>
  sampleRule({ effect, covers: "run_command", subject: command(text) });

const quietFor = (subject: QuietPeriod["subject"]): QuietPeriod => ({
  agent_id: "agent-1",
  conversation_id: "c",
  scope: "agent:command",
  subject,
  manifest_hash: HASH,
  opened_at: 0,
  last_used_at: 0,
  made_on: null,
});
const READING = quietFor({ kind: "folder", path: "/home/me/app" });

function decided(
  line: string,
  rules: Parameters<typeof decideLine>[0],
  quiet: readonly QuietPeriod[] = [],
) {
  const facts = factsOf({
    tool_name: "run_command",
    scope: "agent:command",
    sensitivity: "medium",
    arguments: { line, shell: "sh", directory: "/home/me/app" },
    preview: null,
  });
  const call = { facts, manifest_hash: HASH, now: 1 };
  return decideLine(rules, call, sampleLine(line), quiet)?.effect;
}

describe("a line is allowed", () => {
  const rules = [rule("allow", "npm test"), rule("allow", "git add")];

  it.each([
    "npm test",
    "npm test -- --watch=false 2>&1 | tail -20",
    "git add src && npm test",
    "cd src && npm test; npm test",
    "npm test && echo done",
  ])("where every command is covered: %s", (line) => {
    expect(decided(line, rules)).toBe("allow");
  });

  it.each([
    "npm run build",
    "npm test && npm publish",
    "npm test | sh",
    "npm test & evil",
    "npm test $(evil)",
    "npm test > package.json",
    "git add x | xargs rm",
    "echo done",
    "npm test && cat src/a.ts",
    "PATH=/tmp npm test",
  ])("and else not: %s", (line) => {
    expect(decided(line, rules)).toBeUndefined();
  });

  it("by reading, by commands allowed for the conversation, and by rules, together", () => {
    const tests = quietFor({
      kind: "commands",
      commands: [{ program: "/usr/bin/npm", begins: ["test"] }],
    });
    const line = "git status && npm test && git add a";
    expect(decided(line, rules, [READING])).toBe("allow");
    expect(decided(line, [rule("allow", "git add")], [READING, tests])).toBe("allow");
    expect(decided(line, [rule("allow", "git add")], [tests])).toBeUndefined();
    expect(decided("cat src/a.ts | head", [], [READING])).toBe("allow");
    expect(decided("cat /etc/passwd", [], [READING])).toBeUndefined();
    expect(decided("git push", [], [READING])).toBeUndefined();
  });

  it("as reading, by a rule for reading", () => {
    const reading = pathRule("/home/me/app", { covers: "agent:read" });
    expect(decided("rg -n foo src", [reading])).toBe("allow");
    expect(decided("rg -n foo /etc", [reading])).toBeUndefined();
    expect(decided("make", [reading])).toBeUndefined();
  });
});

describe("a line is denied", () => {
  const rules = [rule("allow", "git"), rule("deny", "git push")];

  it.each([
    "git push",
    "git push origin main",
    "cd /tmp && git push",
    "git status; git push",
    "env git push",
    "sudo -u me git push",
    "git -C /x push",
    "echo $(git push)",
    "/opt/bin/git push",
    "g\\it push",
    "sh -c 'git push'",
    "git 'push' & x",
    "if true; then git push; fi",
  ])("where a command may be what is denied: %s", (line) => {
    expect(decided(line, rules)).toBe("deny");
  });

  it.each(["git status", "git log --oneline"])("and else not: %s", (line) => {
    expect(decided(line, rules)).toBe("allow");
  });

  it("where it reads what is denied to be read, and asked about where it would be asked", () => {
    const secret = pathRule("/home/me/app/secret", { covers: "agent:read", effect: "deny" });
    expect(decided("cat secret/a", [secret], [READING])).toBe("deny");
    expect(decided("git add a && npm test", [rule("allow", "git"), rule("ask", "npm")])).toBe(
      "ask",
    );
  });
});

describe("what quiets a line", () => {
  it.each([
    ["rg foo src | head", { kind: "folder", path: "/home/me/app" }],
    ["echo $(id)", null],
    ["bash", null],
    [
      "npm test && git add a && git status",
      {
        kind: "commands",
        commands: [
          { program: "/usr/bin/npm", begins: ["test"] },
          { program: "/usr/bin/git", begins: ["add", "a"] },
          { program: "/usr/bin/git", begins: ["status"] },
        ],
      },
    ],
  ])("%s: %j", (line, subject) => {
    expect(lineSubject(sampleLine(line), ["/home/me/app"])).toEqual(subject);
  });

  const offers = (line: string) => lineSubjects(sampleLine(line), ["/home/me/app"]);
  const beginnings = (...texts: readonly string[]) => ({
    kind: "commands",
    commands: texts.map((text) => {
      const [name, ...begins] = text.split(" ");
      return { program: `/usr/bin/${name}`, begins };
    }),
  });

  it("as rules: the beginnings of its one command, of several all parts at once", () => {
    expect(offers("npm test 2>&1 | tail -20")).toEqual([command("npm test"), command("npm")]);
    expect(offers("make; echo done; make")).toEqual([command("make")]);
    expect(offers("npm test && git commit -m x && cat a")).toEqual([
      beginnings("npm test", "git commit", "cat a"),
      beginnings("npm", "git", "cat"),
    ]);
    expect(offers("npm test && bash")).toEqual([]);
    expect(offers("npm test && echo $(id)")).toEqual([]);
    expect(offers(Array.from({ length: 17 }, (_, at) => `tool${at}`).join("; "))).toEqual([]);
  });

  it("and what is offered covers that line", () => {
    for (const line of ["npm test && git commit -m x && cat a | head -5", "rg foo src | head"]) {
      for (const subject of offers(line)) {
        const all = subject.kind === "commands" ? subject.commands : [subject];
        const rules = all.map((each) =>
          "kind" in each
            ? pathRule("/home/me/app", { covers: "agent:read" })
            : sampleRule({ covers: "run_command", subject: { kind: "command", ...each } }),
        );
        expect(decided(line, rules)).toBe("allow");
      }
      expect(offers(line)).not.toEqual([]);
    }
  });
});
