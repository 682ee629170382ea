import { coversCommand, isBegun } from "../commands/covers-command.ts";
import { AGENT_CATALOGUE } from "../contract/agent-catalogue.ts";
import { assertNever } from "../contract/assert-never.ts";
import { CATALOGUE } from "../contract/catalogue.ts";
import { isInFolder, namesIn } from "../contract/folder-path.ts";
import { isSameHost, type NetworkHost } from "../contract/network-host.ts";
import {
  type CommandBeginning,
  isRuleActive,
  RULE_EFFECTS,
  type Rule,
  type RuleSubject,
  type RuleWords,
} from "../contract/rule.ts";
import type { CallFacts, PlaceFacts } from "./call-facts.ts";

export interface RuleCall {
  readonly facts: CallFacts;
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly now: number;
}

/**
 * The rule that decides a call, of one agent's rules; undefined: none covers it. The most specific one
 * does; of equally specific ones deny comes before ask, and ask before allow (contract §3).
 */
export function decide(rules: readonly Rule[], call: RuleCall): Rule | undefined {
  const covering = rules.filter(
    (rule) => isRuleActive(rule, call.manifest_hash, call.now) && ruleCovers(rule, call.facts),
  );
  return covering.reduce<Rule | undefined>(
    (best, rule) => (best === undefined || isBefore(rule, best) ? rule : best),
    undefined,
  );
}

function isBefore(one: Rule, other: Rule): boolean {
  const [left, right] = [rankOf(one), rankOf(other)];
  const at = left.findIndex((rank, index) => rank !== right[index]);
  // The same in every point: which of them is named must not depend on their order.
  return at === -1 ? one.rule_id < other.rule_id : (left[at] ?? 0) > (right[at] ?? 0);
}

/** Whether what one rule says counts before what another says, of calls that both cover. */
export function isMoreSpecific(one: RuleWords, other: RuleWords): boolean {
  const [left, right] = [specificity(one), specificity(other)];
  const at = left.findIndex((rank, index) => rank !== right[index]);
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

/** The points in which rules are compared, the first one first; the higher number wins. */
const rankOf = (rule: Rule): readonly number[] => [
  ...specificity(rule),
  RULE_EFFECTS.indexOf(rule.effect),
];

const specificity = (rule: RuleWords): readonly number[] => [
  ...subjectRank(rule),
  Number(!rule.covers.includes(":")),
  Number(rule.project !== undefined),
];

/** Its kind, how narrow it is, and whether it says more than that. */
function subjectRank({ subject }: RuleWords): readonly [number, number, number] {
  switch (subject.kind) {
    case "anything":
      return [0, 0, 0];
    case "tool":
      return [1, 0, 0];
    case "host":
      return [1, 0, Number(subject.method !== "any")];
    case "path":
      return [1, namesIn(subject.path).length, Number(subject.names !== null)];
    case "command":
      return [2, subject.begins.length, 0];
    default:
      return assertNever(subject);
  }
}

type Path = Extract<RuleSubject, { kind: "path" }>;

/**
 * Whether a rule is about a call. An allow rule covers a call only if it covers all that the call
 * names, exactly as tools open it; any other rule covers it if it may concern part of it, in any
 * spelling that some system takes for the same.
 */
export function ruleCovers(
  { covers, subject, effect, answers_high, project }: Rule,
  facts: CallFacts,
): boolean {
  if (project !== undefined && !facts.project.includes(project)) return false;
  if (covers !== facts.tool_name && covers !== facts.scope) return false;
  if (effect !== "allow") return mayConcern(subject, facts);
  if (facts.sensitivity === "high" && !(answers_high && mayAnswerHigh(facts))) return false;
  return isWithin(subject, facts);
}

/** What no rule answers, however narrow it is: the person sees it each time. */
const mayAnswerHigh = ({ command, marked }: CallFacts): boolean =>
  !marked && (command === null || command.confined);

function isWithin(subject: RuleSubject, facts: CallFacts): boolean {
  switch (subject.kind) {
    case "anything":
      return !facts.sends && facts.places.every(({ care }) => care === "usual");
    case "path":
      // A folder says nothing of what is run in it.
      if (facts.scope === "agent:command") return false;
      return facts.places.length > 0 && facts.places.every((place) => isAllowed(subject, place));
    case "host":
      return facts.host !== null && isSameHost(subject, facts.host) && isMethod(subject, facts);
    case "command":
      return facts.command !== null && coversCommand(subject, facts.command);
    case "tool":
      return facts.tool === subject.tool;
    default:
      return assertNever(subject);
  }
}

/** What needs its name is covered by nothing wider. */
const isAllowed = (subject: Path, { path, care }: PlaceFacts): boolean =>
  path !== null &&
  isAt(subject, path) &&
  (care === "usual" || (care === "by_name" && namesIt(subject, path)));

const namesIt = ({ path, names }: Path, called: string): boolean =>
  names === null ? path === called : !/[*?]/.test(names);

function mayConcern(subject: RuleSubject, facts: CallFacts): boolean {
  switch (subject.kind) {
    case "anything":
      return true;
    case "path": {
      const folded = {
        ...subject,
        path: anyCase(subject.path),
        names: subject.names && anyCase(subject.names),
      };
      return [...facts.places.map(({ path }) => path), ...facts.aliases].some(
        (path) =>
          path === null || isAt(folded, anyCase(path)) || isAbove(anyCase(path), folded, facts),
      );
    }
    case "tool":
      return facts.tool !== null && anyCase(facts.tool) === anyCase(subject.tool);
    case "host":
      return (
        facts.host !== null &&
        isSameHost(rooted(subject), rooted(facts.host)) &&
        isMethod(subject, facts)
      );
    case "command": {
      const { command, text } = facts;
      if (text !== null && mayStart(text, namesOf(subject), subject.begins)) return true;
      if (command === null || !isBegun(subject, command)) return false;
      const isNamed = namesOf(subject).includes(lastName(command.named));
      if (command.program === null) return isNamed;
      return command.program === subject.program && (isNamed || subject.named === undefined);
    }
    default:
      return assertNever(subject);
  }
}

const isAt = ({ path, names }: Path, called: string): boolean =>
  isInFolder(path, called) && (names === null || isNamed(names, namesIn(called).at(-1) ?? ""));

/** A tool may go through all that is below a folder, or take it along. */
const isAbove = (called: string, { path, names }: Path, { tool_name }: CallFacts): boolean =>
  names === null && CATALOGUE.get(tool_name)?.reach === "tree" && isInFolder(called, path);

/** `*` stands for any characters, `?` for one; nothing else is special. */
function isNamed(pattern: string, name: string): boolean {
  const [first = [], ...rest] = pattern.split("*").map((part) => [...part]);
  const chars = [...name];
  const fits = (part: readonly string[], at: number): boolean =>
    at + part.length <= chars.length &&
    part.every((char, index) => char === "?" || char === chars[at + index]);
  const last = rest.pop();
  if (last === undefined) return chars.length === first.length && fits(first, 0);
  if (!fits(first, 0)) return false;
  let at = first.length;
  for (const part of rest) {
    while (at < chars.length && !fits(part, at)) at += 1;
    if (!fits(part, at)) return false;
    at += part.length;
  }
  const end = chars.length - last.length;
  return end >= at && fits(last, end);
}

const isMethod = (
  { method }: Extract<RuleSubject, { kind: "host" }>,
  { sends }: CallFacts,
): boolean => method === "any" || (method === "sending") === sends;

/**
 * Whether a program may be started so somewhere in a text that a shell reads: after a wrapper, within quotes, with
 * options before its first argument.
 */
function mayStart(text: string, names: readonly string[], beginning: readonly string[]): boolean {
  const bare = text.replace(/["'\\]/g, "");
  return [text, bare].some((each) => {
    const words = each.split(/[\s"'`;&|<>(){}$\\]+/).filter((word) => word !== "");
    return words.some(
      (word, at) => names.includes(lastName(word)) && mayFollow(beginning, words, at + 1),
    );
  });
}

/** Options, each with a value or without, may stand before and between. */
function mayFollow(beginning: readonly string[], words: readonly string[], from: number): boolean {
  let places = new Set([from]);
  for (const wanted of beginning) {
    const next = new Set<number>();
    for (const place of places) {
      if (words[place] === wanted) next.add(place + 1);
      // Sets are walked with what is added on the way.
      if (words[place]?.startsWith("-")) places.add(place + 1).add(place + 2);
    }
    places = next;
  }
  return places.size > 0;
}

/** The file systems of macOS and Windows treat these spellings as one name. */
const anyCase = (text: string): string => text.normalize("NFC").toLowerCase();

/** `example.com.` is the same host as `example.com` (RFC 1034 §3.1). */
const rooted = ({ host, port }: NetworkHost): NetworkHost => ({
  host: host.replace(/\.$/, ""),
  port,
});

const lastName = (path: string): string =>
  anyCase(path.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|com)$/, "");

/** The names that a program has in texts. */
const namesOf = ({ program, named }: CommandBeginning): readonly string[] =>
  [program, named ?? program].map(lastName);

/** Whether two rules may be about the same call. */
export const mayMeet = (one: RuleWords, other: RuleWords): boolean =>
  toolsOf(one.covers).some((name) => toolsOf(other.covers).includes(name)) &&
  mayOverlap(one.subject, other.subject);

const toolsOf = (covers: string): readonly string[] =>
  [...CATALOGUE.values(), ...AGENT_CATALOGUE.values()]
    .filter(({ name, scope }) => name === covers || scope === covers)
    .map(({ name }) => name);

function mayOverlap(one: RuleSubject, other: RuleSubject): boolean {
  if (one.kind === "path" && other.kind === "path") {
    const [left, right] = [anyCase(one.path), anyCase(other.path)];
    return isInFolder(left, right) || isInFolder(right, left);
  }
  if (one.kind === "host" && other.kind === "host") {
    const methods = one.method === other.method || one.method === "any" || other.method === "any";
    return isSameHost(rooted(one), rooted(other)) && methods;
  }
  if (one.kind === "command" && other.kind === "command") {
    const words = Math.min(one.begins.length, other.begins.length);
    const isSame = one.begins.slice(0, words).every((word, at) => word === other.begins[at]);
    return namesOf(one).some((name) => namesOf(other).includes(name)) && isSame;
  }
  if (one.kind === "tool" && other.kind === "tool")
    return anyCase(one.tool) === anyCase(other.tool);
  // A command and a folder that it runs in, or anything: some call is about both.
  return true;
}
