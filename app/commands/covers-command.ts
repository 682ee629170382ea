import type { CommandBeginning } from "../contract/rule.ts";
import { leavesOpen, mustName, programName } from "./told-arguments.ts";

/** A command of a call or of a line. */
export interface Command {
  /** The program's file, with every link resolved; null where nobody found it. */
  readonly program: string | null;
  /** The program as it is named. */
  readonly named: string;
  readonly rest: readonly string[];
  /** It reads what another command or the line itself writes. */
  readonly fed: boolean;
}

export const isBegun = (
  { begins }: Pick<CommandBeginning, "begins">,
  { rest }: Pick<Command, "rest">,
): boolean => begins.length <= rest.length && begins.every((word, at) => word === rest[at]);

/**
 * Whether whoever allows this beginning allows the command: an argument that makes the program run, load or
 * write something else must be part of it.
 */
export const coversCommand = (beginning: CommandBeginning, command: Command): boolean =>
  isCalled(beginning, command) &&
  isBegun(beginning, command) &&
  beginning.begins.length + 1 >= mustNameOf(command);

/** The same file, called by the same name: some programs are many, and do what that name says. */
const isCalled = (beginning: CommandBeginning, { program, named }: Command): boolean =>
  program === beginning.program &&
  programName(named) === programName(beginning.named ?? beginning.program);

/** How a rule for this program is about it. */
export const programOf = (
  program: string,
  named: string,
): Pick<CommandBeginning, "program" | "named"> =>
  programName(named) === programName(program)
    ? { program }
    : { program, named: named.replace(/^.*[\\/]/s, "") };

const mustNameOf = ({ program, named, rest, fed }: Command): number =>
  Math.max(mustName([named, ...rest], fed), mustName([program ?? named, ...rest], fed));

/** Whether a beginning leaves open what runs. */
export const isOpen = ({ program, named, begins }: CommandBeginning): boolean =>
  leavesOpen([program, ...begins]) || (named !== undefined && leavesOpen([named, ...begins]));

/** Words of an offer; a longer one says no more to whoever reads it. */
const OFFERED_WORDS = 4;

/** Beginnings that could be allowed from now on, the narrowest first; none where no beginning fixes what runs. */
export const offeredBeginnings = (command: Command): readonly CommandBeginning[] =>
  beginningsOf(command).filter((beginning) => !isOpen(beginning));

/** How it begins, in whole words, the narrowest first; none: its program's file was not found. */
export function beginningsOf(command: Command): readonly CommandBeginning[] {
  const { program, named, rest } = command;
  if (program === null) return [];
  const needed = mustNameOf(command);
  const plain = rest.findIndex((word) => !/^[A-Za-z0-9][\w.:@/-]*$/.test(word));
  const leading = 1 + Math.min(plain === -1 ? rest.length : plain, OFFERED_WORDS - 1);
  const counts = new Set([Math.max(leading, needed), Math.max(2, needed), Math.max(1, needed)]);
  return [...counts]
    .filter((count) => count <= rest.length + 1)
    .toSorted((one, other) => other - one)
    .map((count) => ({ ...programOf(program, named), begins: rest.slice(0, count - 1) }));
}
