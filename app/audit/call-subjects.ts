import { foldAscii } from "../contract/ascii-case.ts";
import { folderAbove, namesIn, plainPath, separatorOf } from "../contract/folder-path.ts";
import type { JsonObject, JsonValue } from "../contract/json.ts";
import { LIMITS } from "../contract/limits.ts";

/** What is kept of one call: the files and hosts themselves come before folders far above them. */
export const SUBJECTS_MOST = 32;
/** Folders above one path, the nearest first. */
const FOLDERS_MOST = 16;

/**
 * What a call's arguments name, in the form that is digested (docs/audit-log.md, "Subjects"):
 * paths, their names and the folders above them, a host, a program. Whatever the tool is.
 */
export function callSubjects(args: JsonObject): readonly string[] {
  const argv = textsOf(args.argv);
  const typed = wordsOf(args.line ?? lineIn(args.argv));
  const [program = typed[0]] = argv;
  const words = [...argv, ...typed];
  const paths = [
    args.path,
    args.from,
    args.to,
    ...textsOf(args.paths),
    ...words,
    args.directory,
  ].flatMap(pathOf);
  const found = [
    ...paths,
    ...paths.map((path) => namesIn(path).at(-1) ?? ""),
    ...hostsIn(args.url),
    ...(program === undefined ? [] : [program, program.split(/[\\/]/u).at(-1) ?? ""]),
    ...typed,
    ...paths.flatMap(foldersAbove),
  ];
  const subjects = new Set(found.filter(isUsable).map(subjectForm));
  return [...subjects].slice(0, SUBJECTS_MOST);
}

/** What the person typed, in the form in which a call's subjects are digested; null: it is no subject. */
export function searchedSubject(typed: string): string | null {
  const text = typed.trim();
  const [host = text] = hostsIn(text);
  const without = /^(?:[A-Za-z]:)?[\\/]/u.test(host) ? host.replace(/[\\/]+$/u, "") : host;
  const subject = plainPath(without) ?? without.replace(/(?<=.)[\\/]+$/u, "");
  return isUsable(subject) ? subjectForm(subject) : null;
}

const isUsable = (text: string): boolean => text !== "" && text.length <= LIMITS.subjectChars;

/** Compared without regard to how characters are composed, nor to the case of ASCII letters. */
const subjectForm = (text: string): string => foldAscii(text.toWellFormed().normalize("NFC"));

const pathOf = (value: JsonValue | undefined): readonly string[] => {
  const path = typeof value === "string" && isUsable(value) ? plainPath(value) : null;
  return path === null ? [] : [path];
};

function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let at = folderAbove(path); at !== null; at = folderAbove(at)) {
    if (above.length === FOLDERS_MOST || at.endsWith(separatorOf(at))) break;
    above.push(at);
  }
  return above;
}

/** The host as `URL` writes it, and with its port where the address names one. */
function hostsIn(value: JsonValue | undefined): readonly string[] {
  const isAddress = typeof value === "string" && /^https?:\/\//iu.test(value) && isUsable(value);
  const url = isAddress ? URL.parse(value) : null;
  if (url === null) return [];
  const { hostname, port } = url;
  return port === "" ? [hostname] : [hostname, `${hostname}:${port}`];
}

/** The line that a shell reads: of `sh -c "npm publish"`. */
function lineIn(argv: JsonValue | undefined): JsonValue | undefined {
  const [, flag, line] = Array.isArray(argv) ? argv : [];
  return typeof flag === "string" && /^(?:-[a-z]*c|\/c)$/iu.test(flag) ? line : undefined;
}

function wordsOf(line: JsonValue | undefined): readonly string[] {
  if (typeof line !== "string") return [];
  const words = line.slice(0, LIMITS.subjectChars).split(/[\s"'`;&|()<>]+/u);
  return words.filter((word) => word !== "").slice(0, 16);
}

const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(0, 16) : [];
