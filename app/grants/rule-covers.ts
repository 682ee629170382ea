import { assertNever } from "../contract/assert-never.ts";
import { isInFolder, namesIn } from "../contract/folder-path.ts";
import { isSameHost, type NetworkHost } from "../contract/network-host.ts";
import type { Rule } from "../contract/rule.ts";
import type { RuleSubject } from "../contract/rule-subject.ts";
import type { CallFacts } from "./call-facts.ts";

type Path = Extract<RuleSubject, { kind: "path" }>;
type Command = Extract<RuleSubject, { kind: "command" }>;

/**
 * Whether a rule is about a call. An allow rule covers a call only if it covers all that the call
 * names, exactly as tools open it; any other rule covers it if it may concern part of it, in any
 * spelling that some system takes for the same.
 */
export function ruleCovers(
  { covers, subject, effect, answers_high }: Rule,
  facts: CallFacts,
): boolean {
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
      return !facts.sends;
    case "path":
      return (
        facts.paths.length > 0 && facts.paths.every((path) => path !== null && isAt(subject, path))
      );
    case "host":
      return facts.host !== null && isSameHost(subject, facts.host) && isMethod(subject, facts);
    case "command":
      return facts.command?.program === subject.program && begins(subject, facts.command.rest);
    default:
      return assertNever(subject);
  }
}

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
      return facts.paths.some(
        (path) =>
          path === null || isAt(folded, anyCase(path)) || isAbove(anyCase(path), folded, facts),
      );
    }
    case "host":
      return (
        facts.host !== null &&
        isSameHost(rooted(subject), rooted(facts.host)) &&
        isMethod(subject, facts)
      );
    case "command": {
      const { command } = facts;
      if (command === null || !begins(subject, command.rest)) return false;
      return command.program === null
        ? lastName(command.named) === lastName(subject.program)
        : command.program === subject.program;
    }
    default:
      return assertNever(subject);
  }
}

const isAt = ({ path, names }: Path, called: string): boolean =>
  isInFolder(path, called) && (names === null || isNamed(names, namesIn(called).at(-1) ?? ""));

/** Tools that go through all that is below a folder, or take it along. */
const DEEP: ReadonlySet<string> = new Set(["search_files", "move_file", "delete_file"]);

const isAbove = (called: string, { path, names }: Path, { tool_name }: CallFacts): boolean =>
  names === null && DEEP.has(tool_name) && isInFolder(called, path);

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

const begins = ({ begins: prefix }: Command, rest: readonly string[]): boolean =>
  prefix.length <= rest.length && prefix.every((word, index) => word === rest[index]);

/** The file systems of macOS and Windows treat these spellings as one name. */
const anyCase = (text: string): string => text.normalize("NFC").toLowerCase();

/** `example.com.` is the same host as `example.com` (RFC 1034 §3.1). */
const rooted = ({ host, port }: NetworkHost): NetworkHost => ({
  host: host.replace(/\.$/, ""),
  port,
});

const lastName = (path: string): string =>
  anyCase(path.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|com)$/, "");
