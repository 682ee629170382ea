import { coversCommand } from "../commands/covers-command.ts";
import { type CallSubject, covers } from "../contract/call-subject.ts";
import type { FoundCommand, FoundLine } from "../contract/command-line.ts";
import { plainPath } from "../contract/folder-path.ts";
import type { Rule } from "../contract/rule.ts";
import { careFor } from "../contract/target/special-places.ts";
import type { CallFacts } from "./call-facts.ts";
import { decide, type RuleCall } from "./decide.ts";
import type { QuietPeriod } from "./quiet-period.ts";

export type LineDecision =
  | { readonly effect: "deny" | "ask"; readonly rule: Rule }
  /** Every command is allowed, by one of these. */
  | { readonly effect: "allow"; readonly by: readonly (Rule | QuietPeriod)[] };

/**
 * What decides a command line: one command that is denied or asked about decides for all, and an allowance must
 * cover each. What reads nothing but another's output needs none.
 *
 * @param quiet the quiet periods that count now, for commands and for reading
 */
export function decideLine(
  rules: readonly Rule[],
  call: RuleCall,
  line: FoundLine,
  quiet: readonly QuietPeriod[],
): LineDecision | undefined {
  if (line.unread !== null) {
    const rule = decide(rules, call);
    return rule === undefined || rule.effect === "allow"
      ? undefined
      : { effect: rule.effect, rule };
  }
  const decided = line.commands.map((command) => decidePart(rules, call, command));
  for (const effect of ["deny", "ask"] as const) {
    const rule = decided.find((each) => each?.effect === effect);
    if (rule !== undefined) return { effect, rule };
  }
  if (call.facts.sensitivity === "high") return undefined;
  const by: (Rule | QuietPeriod)[] = [];
  for (const [at, command] of line.commands.entries()) {
    const allows = decided[at] ?? quiet.find(({ subject }) => isQuiet(subject, command));
    if (allows !== undefined) by.push(allows);
    else if (command.reads?.length !== 0) return undefined;
  }
  return by.length === 0 ? undefined : { effect: "allow", by };
}

/** A command that only reads is also what an agent reads with its own tools. */
function decidePart(
  rules: readonly Rule[],
  call: RuleCall,
  command: FoundCommand,
): Rule | undefined {
  const { program, words, fed, reads } = command;
  const [named = "", ...rest] = words;
  const part = { ...call.facts, text: call.facts.text && words.join(" ") };
  const run: CallFacts = { ...part, command: { program, named, rest, fed, confined: false } };
  const found = [decide(rules, { ...call, facts: run })];
  if (reads !== null && reads.length > 0) {
    const places = reads.map((path) => ({ path: plainPath(path), care: careFor(path, "read") }));
    const as = {
      tool_name: "read_file",
      scope: "agent:read",
      command: null,
      text: null,
      aliases: [],
      tool: null,
    };
    found.push(decide(rules, { ...call, facts: { ...call.facts, ...as, places } }));
  }
  return (
    found.find((rule) => rule?.effect === "deny") ??
    found.find((rule) => rule?.effect === "ask") ??
    found.find((rule) => rule !== undefined)
  );
}

function isQuiet(subject: CallSubject, { program, words, fed, reads }: FoundCommand): boolean {
  const [named = "", ...rest] = words;
  if (subject.kind === "commands") {
    return subject.commands.some((each) => coversCommand(each, { program, named, rest, fed }));
  }
  return (
    reads !== null &&
    reads.length > 0 &&
    reads.every((path) => covers(subject, { kind: "folder", path }))
  );
}
