import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { readLine } from "../../../app/commands/read-line.ts";
import { readsOnly } from "../../../app/commands/read-only.ts";
import type {
  FoundCommand,
  FoundLine,
  SimpleCommand,
  UnreadReason,
} from "../../../app/contract/command-line.ts";
import { shellProgram } from "../../tools/command/find-command.ts";
import { realPlace } from "./real-place.ts";
import type { SecondReader } from "./second-reader.ts";

interface LinePlace {
  /** A shell of the family of sh reads it. */
  readonly isShell: boolean;
  /** Where it runs, with every link resolved. */
  readonly directory: string;
  /** The `PATH` of that shell; null: not told. */
  readonly path: string | null;
  readonly reader: SecondReader;
}

/** Reads a command line and looks up, as things are now, its programs and where its paths lead. */
export async function foundLine(
  line: string,
  { isShell, directory, path, reader }: LinePlace,
): Promise<FoundLine> {
  const unread = (reason: UnreadReason): FoundLine => ({
    unread: { reason, text: "", start: 0, end: 0 },
    commands: [],
    directory,
  });
  if (!isShell) return unread("other_shell");
  const reading = readLine(line);
  if (reading.kind === "unread") {
    const { unread } = reading;
    const programs = unread.reason === "too_long" ? [] : await reader.programs(line);
    return { unread, commands: [], directory, programs };
  }
  if (!(await reader.agrees(line, reading))) return unread("two_readings");
  const folder = await leadsTo(resolve(directory, reading.directory ?? "."));
  const commands = reading.commands.map((command) => foundCommand(command, folder, path));
  return { unread: null, commands: await Promise.all(commands), directory: folder };
}

async function foundCommand(
  command: SimpleCommand,
  directory: string,
  path: string | null,
): Promise<FoundCommand> {
  const [named = "", ...rest] = command.words;
  const read = readsOnly(command, directory);
  const places = (await Promise.all(rest.map((word) => placeOf(word, directory)))).flat();
  return {
    ...command,
    program: await shellProgram(named, directory, path),
    places: read === null ? places : [],
    reads: read === null ? null : await Promise.all(read.map(leadsTo)),
  };
}

/** Where an argument leads that is a path, or has one after `=`; none where it need not be one. */
async function placeOf(word: string, directory: string): Promise<readonly string[]> {
  const value = /^--?[\w-]+=(.*)$/s.exec(word)?.[1] ?? word;
  if (value === "" || /\s|:\/\//.test(value)) return [];
  const path = resolve(directory, value);
  if (/^\.|\//.test(value) || (await isLink(path))) return [await leadsTo(path)];
  return [];
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );

/** As it is written where that cannot be told, as of a name below a file. */
const leadsTo = (path: string): Promise<string> => realPlace(path).catch(() => path);
