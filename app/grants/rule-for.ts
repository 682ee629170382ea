import { isOpen } from "../commands/covers-command.ts";
import { isShellWord } from "../commands/shell-words.ts";
import { AGENT_CATALOGUE } from "../contract/agent-catalogue.ts";
import { assertNever } from "../contract/assert-never.ts";
import { PLAN } from "../contract/call-subject.ts";
import { CATALOGUE } from "../contract/catalogue.ts";
import { canonicalJson } from "../contract/digest.ts";
import { folderAbove, namesIn, plainPath, separatorOf } from "../contract/folder-path.ts";
import { LIMITS } from "../contract/limits.ts";
import { plainHost } from "../contract/network-host.ts";
import {
  ANYTHING,
  type CommandBeginning,
  kindsOfTool,
  type RuleSubject,
  type RuleTime,
  type RuleWords,
  type ToolShape,
} from "../contract/rule.ts";
import type { Sensitivity } from "../contract/scopes.ts";
import { commandDangers } from "../contract/target/command-dangers.ts";
import { marksOfWords } from "../contract/target/path-marks.ts";
import { careFor, isEachTime, usesOf } from "../contract/target/special-places.ts";
import type { CallFacts } from "./call-facts.ts";

/** When a rule ends that is made now; the times are milliseconds on the trusted clock. */
export function ruleEndsAt(time: RuleTime, now: number, midnight: number): number | null {
  switch (time) {
    case "minutes":
      return now + LIMITS.ruleMinutesMs;
    case "hours":
      return now + LIMITS.ruleHighMs;
    case "task":
      return now + LIMITS.ruleTaskMs;
    case "today":
      return midnight;
    case "always":
      return null;
    default:
      return assertNever(time);
  }
}

/**
 * The subjects that a card offers a rule for, the narrowest first; for a high one there are none.
 *
 * @param decidedOnly the agent carries it out itself, so that anything would be any host at all
 */
export function offeredSubjects(facts: CallFacts, decidedOnly: boolean): readonly RuleSubject[] {
  const { scope, sensitivity, host, sends, places, command } = facts;
  if (sensitivity === "high" || command !== null || facts.text !== null || sends) return [];
  // Anything would be whatever tool the agent has.
  if (scope === "agent:tool") return ownTool(facts);
  if (host !== null) {
    const here = { kind: "host", ...host, method: "reading" } as const;
    return decidedOnly ? [here] : [here, ANYTHING];
  }
  const [place, ...others] = places;
  if (place === undefined) return [ANYTHING];
  const { path, care } = place;
  if (path === null || care === "each_time" || others.length > 0) return [];
  const above = care === "by_name" ? null : folderAbove(path);
  return [path, above].flatMap((each) =>
    each === null ? [] : { kind: "path", path: each, names: null },
  );
}

const ownTool = ({ tool }: CallFacts): readonly RuleSubject[] =>
  tool === null || tool === PLAN ? [] : [{ kind: "tool", tool }];

/**
 * `runs_anything`: its beginning leaves open what runs; `special_place`: such a place is asked about each time;
 * `not_declared`: the agent has no such tool; `dangerous`: such a command is asked about each time; `shell_word`: the
 * shell reads the word itself, so that no line with it is read.
 */
export type RuleFault =
  | "unknown_tool"
  | "not_declared"
  | "subject_unfit"
  | "runs_anything"
  | "special_place"
  | "dangerous"
  | "shell_word"
  | "high_too_wide"
  | "high_too_long";

/** The subject as calls name it; null: none ever does. */
export function plainSubject(subject: RuleSubject): RuleSubject | null {
  switch (subject.kind) {
    case "anything":
      return subject;
    case "path": {
      const path = plainPath(subject.path.replace(/(?<=[^\\/:])[\\/]$/, ""));
      return path === null ? null : { ...subject, path };
    }
    case "host": {
      const host = plainHost(subject.host);
      return host === null ? null : { ...subject, host };
    }
    case "command":
      return plainPath(subject.program) === null ? null : subject;
    case "tool":
      return subject;
    default:
      return assertNever(subject);
  }
}

interface Wanted {
  /** The contracts of the tools that the agent declares. */
  readonly declared: readonly ToolShape[];
  /** The highest of what the tools it covers have for this agent. */
  readonly sensitivity: Sensitivity;
  /** How long it would last in milliseconds; null: no end. */
  readonly lasts: number | null;
}

/** Why a rule cannot be made by hand, because it would never apply or go too far; null: it can. */
export function ruleFault(
  { covers, subject, effect }: RuleWords,
  { declared, sensitivity, lasts }: Wanted,
): RuleFault | null {
  const isAbout = ({ name, scope }: ToolShape) => name === covers || scope === covers;
  const all = [...CATALOGUE.values(), ...AGENT_CATALOGUE.values()].filter(isAbout);
  if (all.length === 0) return "unknown_tool";
  if (!all.some((tool) => fits(subject, tool))) return "subject_unfit";
  if (effect !== "allow") return null;
  // A folder says nothing of what an agent's shell runs in it.
  const isMeant = ({ scope }: ToolShape) => subject.kind !== "path" || scope !== "agent:command";
  const tools = declared.filter((tool) => isAbout(tool) && fits(subject, tool));
  if (tools.length === 0) return "not_declared";
  if (!tools.some(isMeant)) return "subject_unfit";
  if (tools.every((tool) => isEachTimePlace(subject, tool))) return "special_place";
  const command = subject.kind === "command" ? commandFault(subject, tools) : null;
  if (command !== null) return command;
  if (sensitivity !== "high") return null;
  const isExact = subject.kind === "command" || (subject.kind === "path" && subject.names === null);
  if (!isExact) return "high_too_wide";
  return lasts === null || lasts > LIMITS.ruleHighMs ? "high_too_long" : null;
}

/** Why a rule about commands that begin so would allow none, or any. */
function commandFault(
  { program, named, begins }: CommandBeginning,
  tools: readonly ToolShape[],
): RuleFault | null {
  const words = [named ?? program, ...begins];
  if (isOpen({ program, ...(named && { named }), begins })) return "runs_anything";
  if (marksOfWords(words, "/", []).some(isEachTime)) return "special_place";
  // Only lines of a shell are judged by their words.
  if (!tools.every(({ scope }) => scope === "agent:command")) return null;
  if (commandDangers(words).length > 0) return "dangerous";
  return isShellWord(namesIn(words[0] ?? "").at(-1) ?? "") ? "shell_word" : null;
}

/** Rules about such a place never allow anything. */
function isEachTimePlace(subject: RuleSubject, { scope }: ToolShape): boolean {
  if (subject.kind !== "path") return false;
  const { path, names } = subject;
  const isName = names !== null && !/[*?]/.test(names);
  const named = isName ? `${path}${separatorOf(path)}${names}` : path;
  return careFor(named, usesOf(scope)) === "each_time";
}

function fits(subject: RuleSubject, tool: ToolShape): boolean {
  if (!kindsOfTool(tool).includes(subject.kind)) return false;
  const plain = plainSubject(subject);
  return plain !== null && canonicalJson(plain) === canonicalJson(subject);
}
