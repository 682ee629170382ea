import { assertNever } from "../contract/assert-never.ts";
import { PROGRAMS } from "./program-table.ts";

/** How a program starts something else. */
type Start =
  | { readonly kind: "nothing" | "package" | "text" | "input" | "anything" }
  /** The program after that many operands. */
  | { readonly kind: "command"; readonly operands: number }
  /** A file, or a text after one of these options. */
  | { readonly kind: "script"; readonly texts: ReadonlySet<string> };

interface Pattern {
  readonly form: string;
  readonly matches: "long" | "letter" | "dashed" | "assignment" | "operand" | "beginning";
  readonly takes: "value" | "nothing" | "rest";
  readonly leading: boolean;
}

interface Program {
  readonly start: Start;
  readonly values: ReadonlySet<string>;
  readonly told: readonly Pattern[];
  /** First operands of its own; null: any. */
  readonly known: ReadonlySet<string> | null;
  readonly abbreviates: boolean;
}

const words = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

function startOf(text: string): Start {
  const [, kind = "", operands, texts] = /^([a-z-]+?)!?(?::(\d))?(?:\((.*)\))?!?$/.exec(text) ?? [];
  if (kind === "command") return { kind, operands: Number(operands) };
  if (kind === "script") return { kind, texts: new Set(words(texts)) };
  const known = (["package", "text", "input", "anything"] as const).find((each) => each === kind);
  return { kind: known ?? "nothing" };
}

function patternOf(text: string): Pattern {
  const [, caret, form = "", end] = /^(\^?)(.*?)([!*~]?)$/.exec(text) ?? [];
  const isPrefix = end === "~";
  const takes = end === "*" ? "rest" : end === "!" || isPrefix ? "nothing" : "value";
  const leading = caret === "^";
  if (isPrefix) return { form, matches: "beginning", takes, leading };
  if (form.startsWith("--")) return { form, matches: "long", takes, leading };
  if (/^-.$/.test(form)) return { form, matches: "letter", takes, leading };
  if (form.startsWith("-")) return { form, matches: "dashed", takes, leading };
  if (text.endsWith("=")) return { form: text, matches: "assignment", takes: "nothing", leading };
  return { form, matches: "operand", takes: takes === "rest" ? "rest" : "nothing", leading };
}

function readTable(): ReadonlyMap<string, Program> {
  const programs = new Map<string, Program>();
  for (const line of PROGRAMS.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [names = "", start = "", values, told, known] = line
      .split("|")
      .map((part) => part.trim());
    const program: Program = {
      start: startOf(start),
      values: new Set(words(values)),
      told: words(told).map(patternOf),
      known: known === undefined ? null : new Set(words(known)),
      abbreviates: !start.includes("!"),
    };
    const list = names.startsWith(">") ? names.slice(1).split(";") : words(names);
    for (const name of list) programs.set(name.trim(), program);
  }
  return programs;
}

let table: ReadonlyMap<string, Program> | undefined;
const programs = () => (table ??= readTable());

/** A program's name as scripts and people say it. */
export const programName = (word: string): string =>
  word
    .replace(/^.*[\\/]/s, "")
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");

/** Under its own name, or without a version or variant at its end, as in `python3.13` or `vim.basic`. */
function entryOf(name: string): Program | undefined {
  const forms = [name, name.replace(/[-.]?\d+(?:\.\d+)*$/, ""), name.replace(/\..*$/, "")];
  for (const form of forms) {
    const found = programs().get(form);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Nothing that a rule could name fixes what runs. */
const NEVER = Number.POSITIVE_INFINITY;

/** Options after which an interpreter reads no script. */
const ONLY_TELLS = /^(?:--version|--help|-V|-v|-h|--test)$/;

/**
 * How many words of a command, its program included, a rule must name to fix what it can do: all up to the
 * last argument that makes it run, load or write something else. Infinity: whatever it is handed runs.
 *
 * @param fed it reads what another command or the line itself writes, which could tell it anything, too
 */
export function mustName([program = "", ...rest]: readonly string[], fed = false): number {
  const name = programName(program);
  const entry = entryOf(name);
  if (entry === undefined) return 1;
  if (fed && entry.start.kind === "anything") return NEVER;
  // `tar xf` is `tar -xf`.
  const [first = "", ...others] = rest;
  const args =
    /^(?:g|bsd)?tar$/.test(name) && /^[A-Za-z]/.test(first) ? [`-${first}`, ...others] : rest;
  const own = subcommandOf(name, args);
  return Math.max(
    1 + startNamed(entry, args),
    1 + toldNamed(entry, own?.entry.told ?? [], args),
    own === null ? 1 : 1 + own.at + 1 + startNamed(own.entry, args.slice(own.at + 1)),
  );
}

interface Subcommand {
  readonly at: number;
  readonly entry: Program;
}

/** What holds for the first operand alone, as for `npm exec`. */
function subcommandOf(name: string, args: readonly string[]): Subcommand | null {
  const at = args.findIndex((word) => !word.startsWith("-"));
  const entry = programs().get(`${name} ${args[at] ?? ""}`);
  return entry === undefined ? null : { at, entry };
}

/** How many arguments say what is started. */
function startNamed(entry: Program, args: readonly string[]): number {
  const { start, values, known } = entry;
  switch (start.kind) {
    case "anything":
      return Math.max(args.length, 1);
    case "command":
    case "package": {
      const at = startedAt(entry, args);
      return at === null ? NEVER : at + mustName(args.slice(at));
    }
    case "input": {
      const at = startedAt(entry, args);
      return at === null || isTellable(args[at] ?? "") ? NEVER : at + 1;
    }
    case "script":
      return scriptNamed(start.texts, values, args);
    case "text": {
      const at = startedAt(entry, args);
      if (at === null) return args.length;
      return isHarmlessText(args[at] ?? "") ? 0 : at + 1;
    }
    case "nothing":
      return known === null ? 0 : unknownNamed(known, args);
    default:
      return assertNever(start);
  }
}

function unknownNamed(known: ReadonlySet<string>, args: readonly string[]): number {
  const at = args.findIndex((word) => !word.startsWith("-"));
  if (at === -1) return Math.max(args.length, 1);
  return known.has(args[at] ?? "") ? 0 : at + 1;
}

/** The argument that is started, or says what is; null: there is none. */
const startedAt = ({ start, values }: Program, args: readonly string[]): number | null =>
  operandAt(args, values, start.kind === "command" ? start.operands : 0);

/** It could be told something else by the arguments that it gets. */
function isTellable(program: string): boolean {
  const entry = entryOf(programName(program));
  return entry !== undefined && (entry.told.length > 0 || entry.start.kind !== "nothing");
}

/** Which argument is the operand after that many; null: there is none. Assignments are skipped. */
function operandAt(
  args: readonly string[],
  values: ReadonlySet<string>,
  after: number,
): number | null {
  let left = after;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") {
      const next = at + 1 + left;
      return next < args.length ? next : null;
    }
    if (/^-./.test(word)) {
      if (values.has(word)) at += 1;
    } else if (!/^[A-Za-z_]\w*=/.test(word)) {
      if (left === 0) return at;
      left -= 1;
    }
  }
  return null;
}

function scriptNamed(
  texts: ReadonlySet<string>,
  values: ReadonlySet<string>,
  args: readonly string[],
): number {
  const at = scriptAt(texts, values, args);
  if (at === null) {
    return args.length > 0 && args.every((word) => ONLY_TELLS.test(word)) ? args.length : NEVER;
  }
  const word = args[at] ?? "";
  const isLast = at + 1 === args.length;
  if (word === "-m" && texts.has("-m")) {
    return isLast ? NEVER : at + 1 + mustName(args.slice(at + 1));
  }
  // A text may run what comes after it.
  if (isText(word, texts)) return isLast && !word.includes("=") ? NEVER : args.length;
  return word === "-" || word.startsWith("/dev/") ? NEVER : at + 1;
}

/** Where an interpreter is told what to run; null: nowhere. */
function scriptAt(
  texts: ReadonlySet<string>,
  values: ReadonlySet<string>,
  args: readonly string[],
): number | null {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (values.has(word)) at += 1;
    else if (isText(word, texts) || !/^[-+]./.test(word)) return at;
  }
  return null;
}

/** `-c`, also at the end of joined letters, as in `-lc`. */
const isText = (word: string, texts: ReadonlySet<string>): boolean =>
  [...texts].some((text) =>
    /^-.$/.test(text) && /^-[^-]/.test(word)
      ? word.includes(text.slice(1))
      : word === text || word.startsWith(`${text}=`),
  );

/** For `sed` and `awk`: picks, prints or replaces, and neither runs nor writes. */
const isHarmlessText = (text: string): boolean =>
  /^(?:\d+|\$)?(?:,(?:\d+|\$|\+\d+))?[pdq=]$/.test(text) ||
  /^s([/|,#@])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpI0-9]*$/.test(text) ||
  /^\{ ?print(?: ?\$\d+(?:, ?\$\d+)*)? ?\}$/.test(text) ||
  /^NR ?(?:[<>=]=?|==) ?\d+(?: ?&& ?NR ?(?:[<>=]=?|==) ?\d+)?$/.test(text);

function toldNamed(entry: Program, own: readonly Pattern[], args: readonly string[]): number {
  const operand = args.findIndex((word) => !word.startsWith("-"));
  let named = 0;
  // Of what another program is started with, only what comes before it is its own.
  const inner =
    entry.start.kind === "command" ? operandAt(args, entry.values, entry.start.operands) : null;
  const end = entry.start.kind === "package" ? operandAt(args, entry.values, 0) : inner;
  for (let at = 0; at < (end ?? args.length); at += 1) {
    for (const pattern of [...entry.told, ...own]) {
      const isLeading = operand === -1 || at < operand;
      if (pattern.leading && !isLeading) continue;
      if (!isTold(pattern, args[at] ?? "", at === operand, entry.abbreviates)) continue;
      named = Math.max(named, at + 1 + valueAfter(pattern, args, at));
    }
  }
  return named;
}

const valueAfter = ({ takes }: Pattern, args: readonly string[], at: number): number => {
  if (takes === "rest") return args.length - at - 1;
  return takes === "value" && !args[at]?.includes("=") && at + 1 < args.length ? 1 : 0;
};

function isTold(
  { form, matches }: Pattern,
  word: string,
  isOperand: boolean,
  abbreviates: boolean,
): boolean {
  const [named = ""] = word.split("=", 1);
  switch (matches) {
    case "long":
      return named === form || (abbreviates && /^--./.test(named) && form.startsWith(named));
    case "letter":
      return /^-[^-]/.test(word) && word.includes(form.slice(1));
    case "dashed":
      return named.replace(/^--?/, "") === form.slice(1) && word.startsWith("-");
    case "assignment":
      return form === "*=" ? /^[A-Za-z_]\w*[:?+!]{0,3}=/.test(word) : word.startsWith(form);
    case "operand":
      return isOperand && word === form;
    case "beginning":
      return word.startsWith(form);
    default:
      return assertNever(matches);
  }
}

/**
 * Whether words leave open what runs: an interpreter without its script, a wrapper without its program,
 * an option without the value that says it. As the beginning of a rule they are the same as "anything".
 */
export function leavesOpen(command: readonly string[]): boolean {
  const [program = "", ...args] = command;
  const name = programName(program);
  const entry = entryOf(name);
  if (entry === undefined) return false;
  const { told } = entry;
  const last = args.at(-1);
  const isCut = ({ form, matches, takes }: Pattern) =>
    takes !== "nothing" && (last === form || (matches === "letter" && isLastLetter(last, form)));
  if (told.some(isCut)) return true;
  const own = subcommandOf(name, args);
  if (own !== null && isOpenStart(own.entry, args.slice(own.at + 1))) return true;
  return isOpenStart(entry, args);
}

const isLastLetter = (word: string | undefined, form: string): boolean =>
  word !== undefined && /^-[^-]/.test(word) && word.endsWith(form.slice(1));

function isOpenStart(entry: Program, args: readonly string[]): boolean {
  const { start, told } = entry;
  switch (start.kind) {
    case "anything":
      return args.length === 0;
    case "command":
    case "package": {
      const at = startedAt(entry, args);
      return at === null || leavesOpen(args.slice(at));
    }
    case "script": {
      const module = start.texts.has("-m") ? args.indexOf("-m") : -1;
      if (module !== -1) return module + 1 === args.length || leavesOpen(args.slice(module + 1));
      return startNamed(entry, args) > args.length;
    }
    case "input":
      return startNamed(entry, args) > args.length;
    case "text":
    case "nothing": {
      const runs = told.filter(({ takes }) => takes === "rest");
      const at = args.findIndex((word) => runs.some((each) => isTold(each, word, false, false)));
      return at !== -1 && leavesOpen(args.slice(at + 1));
    }
    default:
      return assertNever(start);
  }
}
