import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Rule, RuleEffect, RuleSubject } from "../contract/rule.ts";
import type { CallFacts } from "./call-facts.ts";
import { decide, ruleCovers } from "./decide.ts";
import { fetching, HASH, pathRule, reading, running, sampleRule } from "./testing/sample-rule.ts";

const now = 1_000;
const effectOf = (rules: readonly Rule[], facts: CallFacts): RuleEffect | "none" =>
  decide(rules, { facts, manifest_hash: HASH, now })?.effect ?? "none";

const folder = (path: string, effect: RuleEffect) => pathRule(path, { effect });
const anything = (effect: RuleEffect, covers = "read_file") => sampleRule({ effect, covers });
const named = (names: string, effect: RuleEffect) =>
  sampleRule({ effect, subject: { kind: "path", path: "/p", names } });
const git = (effect: RuleEffect, ...begins: string[]) =>
  sampleRule({
    effect,
    covers: "run_command",
    answers_high: true,
    subject: { kind: "command", program: "/usr/bin/git", begins },
  });
const host = (effect: RuleEffect, method: "reading" | "any") =>
  sampleRule({
    effect,
    covers: "fetch_url",
    subject: { kind: "host", host: "a.test", port: 443, method },
  });

describe("of the rules that cover a call", () => {
  it.each([
    ["none", [], reading("/p/a")],
    ["none", [folder("/q", "allow")], reading("/p/a")],
    ["allow", [folder("/p", "allow")], reading("/p/a")],
    // The narrower place, whatever it says
    ["deny", [folder("/p", "allow"), folder("/p/a", "deny")], reading("/p/a")],
    ["allow", [folder("/p", "deny"), folder("/p/a", "allow")], reading("/p/a")],
    ["ask", [anything("allow"), folder("/p", "ask")], reading("/p/a")],
    ["allow", [anything("deny"), folder("/p", "allow")], reading("/p/a")],
    // A pattern for names over the same folder without one
    ["deny", [folder("/p", "allow"), named("*.key", "deny")], reading("/p/a.key")],
    ["allow", [folder("/p", "allow"), named("*.key", "deny")], reading("/p/a.md")],
    // Then the tool over its scope
    ["allow", [anything("allow"), anything("deny", "filesystem:read")], reading("/p/a")],
    ["deny", [anything("deny"), anything("allow", "filesystem:read")], reading("/p/a")],
    // The place first, then the tool
    [
      "deny",
      [anything("allow"), pathRule("/p", { effect: "deny", covers: "filesystem:read" })],
      reading("/p/a"),
    ],
    // Then deny over ask over allow
    ["deny", [anything("allow"), anything("ask"), anything("deny")], reading("/p/a")],
    ["ask", [folder("/p", "allow"), folder("/p", "ask")], reading("/p/a")],
    ["deny", [named("*.md", "allow"), named("a*", "deny")], reading("/p/a.md")],
    // One method over any
    ["allow", [host("deny", "any"), host("allow", "reading")], fetching("https://a.test")],
    // The longer beginning; a command over its folder
    ["deny", [git("allow"), git("deny", "push")], running(["git", "push"])],
    ["allow", [git("deny"), git("allow", "log")], running(["git", "log", "-p"])],
    [
      "deny",
      [pathRule("/proj", { covers: "run_command", answers_high: true }), git("deny")],
      running(["git", "log"]),
    ],
  ] as const)("%s wins: %j", (effect, rules, facts) => {
    expect(effectOf(rules, facts)).toBe(effect);
    expect(effectOf(rules.toReversed(), facts)).toBe(effect);
  });

  it("one that is over does not count, and an allow rule not under another manifest", () => {
    const over = { ends_at: now } as const;
    expect(effectOf([pathRule("/p", over)], reading("/p/a"))).toBe("none");
    expect(effectOf([pathRule("/p", { ends_at: now + 1 })], reading("/p/a"))).toBe("allow");
    const before = { manifest_hash: "b".repeat(64) };
    expect(effectOf([pathRule("/p", before)], reading("/p/a"))).toBe("none");
    expect(effectOf([pathRule("/p", { ...before, effect: "deny" })], reading("/p/a"))).toBe("deny");
  });
});

describe("any rules", () => {
  const path = fc.constantFrom("/p", "/p/a", "/p/a/b", "/P/a", "/p/ab", "/q", "/p/../q");
  const subject: fc.Arbitrary<RuleSubject> = fc.oneof(
    fc.constant({ kind: "anything" } as const),
    fc.record({
      kind: fc.constant("path" as const),
      path: path.filter((each) => !each.includes("..")),
      names: fc.constantFrom(null, "*", "a*", "*.md", "?"),
    }),
    fc.record({
      kind: fc.constant("host" as const),
      host: fc.constantFrom("a.test", "b.test"),
      port: fc.constantFrom(80, 443),
      method: fc.constantFrom("reading" as const, "sending" as const, "any" as const),
    }),
    fc.record({
      kind: fc.constant("command" as const),
      program: fc.constantFrom("/usr/bin/git", "/usr/bin/make"),
      begins: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
    }),
  );
  const rule = fc
    .record({
      subject,
      effect: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
      covers: fc.constantFrom(
        ...["read_file", "fetch_url", "run_command", "filesystem:read", "network:http"],
      ),
      answers_high: fc.boolean(),
      ends_at: fc.constantFrom(null, now - 1, now + 1),
      manifest_hash: fc.constantFrom(HASH, "b".repeat(64)),
    })
    .map(sampleRule);
  const rules = fc.array(rule, { maxLength: 8 });
  const facts = fc.oneof(
    path.map(reading),
    fc
      .tuple(
        fc.constantFrom("a.test", "a.test.", "b.test"),
        fc.constantFrom("", ":80"),
        fc.boolean(),
      )
      .map(([name, port, posts]) =>
        fetching(`https://${name}${port}/`, posts ? { method: "POST" } : {}),
      ),
    fc
      .array(fc.constantFrom("a", "b", "c"), { maxLength: 4 })
      .map((rest) => running(["git", ...rest])),
  );

  it("decide the same in any order", () => {
    fc.assert(
      fc.property(rules, facts, fc.nat(), (all, call, seed) => {
        const mixed = all.toSorted((one, other) => order(one, seed) - order(other, seed));
        const about = { facts: call, manifest_hash: HASH, now };
        expect(decide(mixed, about)).toBe(decide(all, about));
      }),
    );
  });

  it("never allow more with one more that denies or asks", () => {
    fc.assert(
      fc.property(rules, rule, facts, (all, more, call) => {
        const stricter = {
          ...more,
          effect: more.effect === "allow" ? "deny" : more.effect,
        } as const;
        if (effectOf([...all, stricter], call) === "allow")
          expect(effectOf(all, call)).toBe("allow");
        if (effectOf(all, call) === "deny" && more.effect === "deny") {
          expect(effectOf([...all, stricter], call)).toBe("deny");
        }
      }),
    );
  });

  it("leave what was when one is removed that did not decide", () => {
    fc.assert(
      fc.property(rules, facts, (all, call) => {
        const about = { facts: call, manifest_hash: HASH, now };
        const decided = decide(all, about);
        for (const other of all.filter((each) => each !== decided)) {
          expect(
            decide(
              all.filter((each) => each !== other),
              about,
            ),
          ).toBe(decided);
        }
      }),
    );
  });

  it("allow nothing that no allow rule of theirs covers", () => {
    fc.assert(
      fc.property(rules, facts, (all, call) => {
        const isCovered = all.some((each) => each.effect === "allow" && ruleCovers(each, call));
        if (effectOf(all, call) === "allow") expect(isCovered).toBe(true);
      }),
    );
  });
});

const order = ({ rule_id }: Rule, seed: number): number =>
  [...rule_id].reduce((sum, char) => (sum * 31 + char.charCodeAt(0) + seed) % 1009, 7);
