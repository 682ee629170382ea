import type { SimpleCommand } from "../contract/command-line.ts";
import { plainPath } from "../contract/folder-path.ts";
import { READING } from "./reading-table.ts";
import { mustName } from "./told-arguments.ts";

interface Reader {
  /** How many of the first operands are texts; infinite: all. */
  readonly texts: number;
  readonly operands: number;
  readonly never: readonly string[];
}

function readTable(): ReadonlyMap<string, Reader> {
  const rows = READING.replace(/\n +\|/g, " |").split("\n");
  return new Map(
    rows.flatMap((row) => {
      const [names = "", texts = "", operands = "", never = ""] = row.split("|");
      const reader = {
        texts: texts.trim() === "all" ? Infinity : Number(texts),
        operands: operands.trim() === "*" ? Infinity : Number(operands),
        never: never.split(/\s+/).filter((word) => word !== ""),
      };
      const list = /git /.test(names) ? names.split(";") : names.split(/\s+/);
      return list
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => [name, reader] as const);
    }),
  );
}

let table: ReadonlyMap<string, Reader> | undefined;
function readerNamed(name: string): Reader | undefined {
  table ??= readTable();
  return table.get(name);
}

/** Options of git's own that change nothing about what it does. */
const GIT_QUIET: ReadonlySet<string> = new Set(["--no-pager", "--no-optional-locks"]);

/**
 * The paths that a command reads and nothing else, absolute; null: it may do more than read. Links are not
 * followed here: where the paths lead decides whoever opens files.
 *
 * @param directory where it runs, absolute
 */
export function readsOnly(
  { words, fed }: Pick<SimpleCommand, "words" | "fed">,
  directory: string,
): readonly string[] | null {
  const found = readerOf(words);
  if (found === null || mustName(words, fed) > 1) return null;
  const { reader, args } = found;
  if (args.some((word) => reader.never.some((each) => isOption(word, each)))) return null;
  const operands = args.filter((word) => !isOptionLike(word));
  if (operands.length > reader.operands) return null;
  if (reader.texts === Infinity) return [];
  const texts = args.some(bringsText) ? 0 : reader.texts;
  if (operands.slice(0, texts).some((text) => LOADS.test(text))) return null;
  const paths: string[] = [];
  for (const word of [...valuesIn(args), ...operands.slice(texts)]) {
    const path = pathFrom(directory, word);
    if (path === null) return null;
    paths.push(path);
  }
  return operands.length > texts || fed ? paths : [...paths, directory];
}

function readerOf(words: readonly string[]) {
  const [program = "", ...rest] = words;
  if (program !== "git") {
    const reader = readerNamed(program);
    return reader === undefined ? null : { reader, args: rest };
  }
  const at = rest.findIndex((word) => !GIT_QUIET.has(word));
  const [first = "", second = ""] = rest.slice(at === -1 ? rest.length : at);
  for (const [name, used] of [
    [`git ${first} ${second}`, 2],
    [`git ${first}`, 1],
  ] as const) {
    const reader = readerNamed(name);
    if (reader !== undefined) return { reader, args: rest.slice(at + used) };
  }
  return null;
}

const isOptionLike = (word: string): boolean => /^-./.test(word);

/** `-L` also among joined letters, `--name` also abbreviated and with a value. */
function isOption(word: string, option: string): boolean {
  const [named = ""] = word.split("=", 1);
  if (option.startsWith("--")) return /^--./.test(named) && option.startsWith(named);
  if (/^-.$/.test(option)) return /^-[^-]/.test(word) && word.includes(option.slice(1));
  return word === option;
}

/** The text to look for, or what is no text, then comes by an option. */
const bringsText = (word: string): boolean =>
  /^--(?:re|fi|ty)/.test(word) || /^-[^-]*[ef]/.test(word);

/** For `jq`, whose programs can load others. */
const LOADS = /\b(?:import|include)\b/;

/** The values of options; one in joined letters, as in `-f/etc/passwd`, may be a path too. */
const valuesIn = (args: readonly string[]): readonly string[] =>
  args.flatMap((word) => {
    if (!isOptionLike(word)) return [];
    const value = /^--[^=]+=(.*)$/s.exec(word)?.[1];
    if (value !== undefined) return [value];
    return word.includes("/") ? [word.slice(word.indexOf("/"))] : [];
  });

/** Null: it is no plain path, or one that leads up. */
function pathFrom(directory: string, word: string): string | null {
  const names = word.split("/").filter((name) => name !== "" && name !== ".");
  const isAbsolute = word.startsWith("/");
  if (names.length === 0) return isAbsolute ? null : directory;
  return plainPath(`${isAbsolute ? "" : directory}/${names.join("/")}`);
}
