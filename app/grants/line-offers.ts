import { offeredBeginnings } from "../commands/covers-command.ts";
import type { CallSubject } from "../contract/call-subject.ts";
import type { FoundCommand, FoundLine } from "../contract/command-line.ts";
import { isInFolder } from "../contract/folder-path.ts";
import type { RuleSubject } from "../contract/rule.ts";

/** Whether a line does nothing but read. */
const onlyReads = ({ unread, commands }: FoundLine): boolean =>
  unread === null && commands.every(({ reads }) => reads !== null);

/** What a call is quiet together with: a line that only reads is reading. */
export const quietScope = (scope: string, line: FoundLine | null): string =>
  line !== null && onlyReads(line) ? "agent:read" : scope;

const beginningsOf = ({ program, words, fed }: FoundCommand) => {
  const [named = "", ...rest] = words;
  return offeredBeginnings({ program, named, rest, fed });
};

/**
 * What a quiet period for a line covers: reading in the folder that the agent has open, or each of its commands by
 * its narrowest beginning; null: no answer can quiet it.
 */
export function lineSubject(line: FoundLine, project: readonly string[]): CallSubject | null {
  if (line.unread !== null) return null;
  if (onlyReads(line)) {
    const path = project.find((folder) => isInFolder(folder, line.directory));
    return path === undefined ? null : { kind: "folder", path };
  }
  const narrowest = line.commands
    .filter(({ reads }) => reads === null)
    .map((command) => beginningsOf(command)[0]);
  const commands = narrowest.filter((each) => each !== undefined);
  return commands.length < narrowest.length ? null : { kind: "commands", commands };
}

/** What a rule for a line could be about, where it has one command that does more than read. */
export function lineSubjects(line: FoundLine): readonly RuleSubject[] {
  const [command, ...others] = line.commands.filter(({ reads }) => reads === null);
  if (line.unread !== null || command === undefined || others.length > 0) return [];
  return beginningsOf(command).map((each) => ({ kind: "command", ...each }));
}
