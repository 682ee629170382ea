import { beginningsOf, offeredBeginnings } from "../commands/covers-command.ts";
import type { CallSubject } from "../contract/call-subject.ts";
import type { FoundCommand, FoundLine } from "../contract/command-line.ts";
import { isInFolder } from "../contract/folder-path.ts";
import type { CommandBeginning, OfferedSubject, RuleSubject } from "../contract/rule.ts";
import type { CallFacts } from "./call-facts.ts";

/** Commands of one answer; a person reads no more. */
const COMMANDS_MOST = 16;

/** A command that runs here: a line of that one, whose arguments are what they are. */
export const lineOfCommand = (
  words: readonly string[],
  program: string,
  directory: string,
  fed: boolean,
): FoundLine => ({
  unread: null,
  commands: [{ words, start: 0, end: 0, fed, program, places: [], reads: null }],
  directory,
});

/** Whether a line does nothing but read. */
const onlyReads = ({ unread, commands }: FoundLine): boolean =>
  unread === null && commands.every(({ reads }) => reads !== null);

/** What a call is quiet together with, and rules for it cover: a line that only reads is reading. */
export const quietScope = (scope: string, line: FoundLine | null): string =>
  line !== null && onlyReads(line) ? "agent:read" : scope;

/**
 * What a quiet period for a line covers: reading in the folder that the agent has open, or each of its commands by
 * its narrowest beginning; null: no answer can quiet it.
 */
export function lineSubject(line: FoundLine, project: readonly string[]): CallSubject | null {
  if (onlyReads(line)) {
    const path = folderOf(line, project);
    return path === undefined ? null : { kind: "folder", path };
  }
  const commands = beginningsIn(line, 0);
  return commands.length === 0 ? null : { kind: "commands", commands: [...commands] };
}

/** What a rule for a line could be about, the narrowest first: of several commands, all of them. */
export function lineSubjects(
  line: FoundLine,
  project: readonly string[],
): readonly OfferedSubject[] {
  if (onlyReads(line)) {
    const path = folderOf(line, project);
    return path === undefined ? [] : [{ kind: "path", path, names: null }];
  }
  const [narrow, wide] = [beginningsIn(line, 0), beginningsIn(line, -1)];
  const [only, ...others] = narrow;
  if (only === undefined) return [];
  if (others.length === 0) return commandOffers(line);
  const isOne = JSON.stringify(narrow) === JSON.stringify(wide);
  return (isOne ? [narrow] : [narrow, wide]).map((commands) => ({
    kind: "commands",
    commands: [...commands],
  }));
}

const folderOf = ({ directory }: FoundLine, project: readonly string[]): string | undefined =>
  project.find((folder) => isInFolder(folder, directory));

/**
 * What a card offers to deny from now on, besides all that the tool does, the narrowest first: how each command begins.
 * Any beginning can be denied, also one that leaves open what runs.
 */
export function deniedSubjects(
  { tool, command }: Pick<CallFacts, "tool" | "command">,
  line: FoundLine | null,
): readonly RuleSubject[] {
  if (tool !== null) return [{ kind: "tool", tool }];
  const commands =
    line === null
      ? [command]
      : (line.unread === null ? line.commands : []).map(({ program, words, fed }) => ({
          program,
          named: words[0] ?? "",
          rest: words.slice(1),
          fed,
        }));
  const all = commands
    .flatMap((each) => (each === null ? [] : beginningsOf(each)))
    .map((each) => ({ kind: "command", ...each }) as const);
  const distinct = new Map(all.map((subject) => [JSON.stringify(subject), subject]));
  return [...distinct.values()].slice(0, COMMANDS_MOST);
}

/** What only passes on what another command writes needs no cover. */
const toCover = ({ unread, commands }: FoundLine): readonly FoundCommand[] =>
  unread === null ? commands.filter(({ reads }) => reads?.length !== 0) : [];

const offered = ({ program, words, fed }: FoundCommand): readonly CommandBeginning[] => {
  const [named = "", ...rest] = words;
  return offeredBeginnings({ program, named, rest, fed });
};

const commandOffers = (line: FoundLine): readonly OfferedSubject[] =>
  toCover(line)
    .slice(0, 1)
    .flatMap(offered)
    .map((each) => ({ kind: "command", ...each }));

/**
 * A beginning of each of its commands, once; none: one of them has none, or they are too many.
 *
 * @param which the narrowest, or the widest
 */
function beginningsIn(line: FoundLine, which: 0 | -1): readonly CommandBeginning[] {
  const all = toCover(line).map((command) => offered(command).at(which));
  const each = new Map(all.map((beginning) => [JSON.stringify(beginning), beginning]));
  const found = [...each.values()].filter((beginning) => beginning !== undefined);
  return found.length < each.size || found.length > COMMANDS_MOST ? [] : found;
}
