import fc from "fast-check";
import { expect, it } from "vitest";
import { CATALOGUE } from "../contract/catalogue.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Rule, RuleSubject } from "../contract/rule.ts";
import { ruleFault } from "../grants/rule-for.ts";
import { sampleRule } from "../grants/testing/sample-rule.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const HOUR = 3_600_000;
const TOOLS = { write_file: "filesystem:write", run_command: "shell:exec" };

interface Call {
  readonly tool: keyof typeof TOOLS;
  readonly args: JsonObject;
  readonly preview: ConsentPreview | null;
}

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({
    tool: fc.constant("write_file" as const),
    args: fc.record({
      path: fc.constantFrom("/p/a", "/p/a.md", "/p/b/c", "/pa", "/q/a", "/p/../q", "/p/.bashrc"),
      content: fc.constant("x"),
    }),
    preview: fc.constant(null),
  }),
  fc.record({
    tool: fc.constant("run_command" as const),
    args: fc.record({
      argv: fc
        .array(fc.constantFrom("log", "push", "-p"), { maxLength: 3 })
        .map((rest) => ["git", ...rest]),
      directory: fc.constant("/p"),
    }),
    preview: fc.record({
      kind: fc.constant("command" as const),
      program: fc.constantFrom("/usr/bin/git", "/usr/bin/git", "/p/git"),
      sandbox: fc.constantFrom("bubblewrap" as const, "bubblewrap" as const, null),
      network: fc.constantFrom(false, false, true),
    }),
  }),
);

const subject: fc.Arbitrary<RuleSubject> = fc.oneof(
  fc.constant({ kind: "anything" } as const),
  fc.record({
    kind: fc.constant("path" as const),
    path: fc.constantFrom("/p", "/p/a", "/p/b", "/q", "/"),
    names: fc.constantFrom(null, null, "*", "*.md"),
  }),
  fc.record({
    kind: fc.constant("command" as const),
    program: fc.constant("/usr/bin/git"),
    begins: fc.array(fc.constantFrom("log", "push"), { maxLength: 2 }),
  }),
);

/** By hand for a time, if that can be done at all, or as a card, a file or an older version left it. */
interface Made {
  readonly words: Pick<Rule, "covers" | "subject" | "effect">;
  readonly lasts: number | null;
  readonly by: "hand" | "other";
}

const made: fc.Arbitrary<Made> = fc.record({
  words: fc.record({
    covers: fc.constantFrom(...Object.entries(TOOLS).flat()),
    subject,
    effect: fc.constantFrom(...Array.from({ length: 6 }, () => "allow" as const), "ask", "deny"),
  }),
  lasts: fc.constantFrom(HOUR, 8 * HOUR, 8 * HOUR + 1, null),
  by: fc.constantFrom("hand" as const, "hand" as const, "other" as const),
});

function ruleOf({ words, lasts, by }: Made, manifest_hash: string, now: number): readonly Rule[] {
  const isByHand = by === "hand";
  if (
    isByHand &&
    ruleFault(words, { declared: [...CATALOGUE.values()], sensitivity: "high", lasts }) !== null
  )
    return [];
  const answers_high = isByHand && words.effect === "allow";
  const ends_at = lasts === null ? null : now + lasts;
  return [sampleRule({ ...words, answers_high, ends_at, manifest_hash, made_at: now })];
}

/** Written independently of the code: what the contract lets a rule allow of high calls. */
function mayRun({ words, lasts, by }: Made, { tool, args, preview }: Call): boolean {
  const { covers, effect, subject: about } = words;
  const isMade = by === "hand" && effect === "allow" && lasts !== null && lasts <= 8 * HOUR;
  if (!isMade || (covers !== tool && covers !== TOOLS[tool])) return false;
  if (tool === "run_command") {
    const isConfined =
      preview?.kind === "command" && preview.sandbox !== null && preview.network === false;
    if (!isConfined) return false;
    if (about.kind === "path") return about.names === null && isBelow(about.path, "/p");
    if (about.kind !== "command" || preview.program !== about.program) return false;
    return JSON.stringify(args.argv).startsWith(
      JSON.stringify(["git", ...about.begins]).slice(0, -1),
    );
  }
  const path = String(args.path);
  const isPlain = !path.includes("..") && !path.endsWith(".bashrc");
  return isPlain && about.kind === "path" && about.names === null && isBelow(about.path, path);
}

const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);

it("a high call runs unasked only by a rule by hand of at most 8 h, exact and confined, and is a line that names it", async () => {
  const seen = { ran: 0, not: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(made, { minLength: 4, maxLength: 10 }), call, async (all, called) => {
      const { tool, args, preview } = called;
      const chain = new ChainHarness({
        agent: agentWith({ toolScopes: TOOLS, sensitivity: { "filesystem:write": "high" } }),
        ...(preview === null ? {} : { previews: async () => ({ shown: preview, seen: "seen" }) }),
      });
      const { manifest_hash } = chain.agent;
      chain.rules = all.flatMap((each) => ruleOf(each, manifest_hash, chain.time.now()));
      void chain.handle(callTo(tool, { args, scope: TOOLS[tool] }));
      await chain.settle();
      const ids = chain.rules.map(({ rule_id }) => rule_id);
      if (chain.ran.length === 0) {
        seen.not += 1;
        return;
      }
      seen.ran += 1;
      expect(all.some((each) => mayRun(each, called))).toBe(true);
      for (const record of chain.records) {
        expect(record.decided_by).toBe("rule");
        expect(ids).toContain(record.rule_id);
      }
      expect(chain.records.map(({ kind }) => kind)).toEqual(["intent", "outcome"]);
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.ran, seen.not)).toBeGreaterThan(30);
});
