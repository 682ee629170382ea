import { marksOfPath } from "./marks-of-path.ts";
import { type PathMark, runsByName } from "./path-marks.ts";
import type { CallTarget, OnePathKind, TargetCount, TargetedCall } from "./target.ts";
import { namesOf, type TargetPath, targetPath } from "./target-path.ts";
import { targetText } from "./target-text.ts";

type Subject = (call: TargetedCall) => CallTarget | null;

interface Found {
  readonly path: TargetPath;
  readonly marks: readonly PathMark[];
  readonly says: readonly string[];
}

/** The path in one argument; null where there is none to show. */
export function pathOf(
  { arguments: args, folders }: TargetedCall,
  argument: string,
  share = 1,
): Found | null {
  const value = args[argument];
  const path = typeof value === "string" ? targetPath(value, folders, share) : null;
  if (path === null) return null;
  const marks = marksOfPath(path.path, folders);
  return { path, marks, says: path.whole ? [argument] : [] };
}

const about = (
  kind: OnePathKind,
  { path, marks, says }: Found,
  count: TargetCount | null = null,
): CallTarget => ({ kind, parts: { path }, count, marks, says });

export const onePath =
  (kind: OnePathKind): Subject =>
  (call) => {
    const found = pathOf(call, "path");
    return found === null ? null : about(kind, found);
  };

export const searched: Subject = (call) => {
  const found = pathOf(call, "path", 2);
  if (found === null) return null;
  const { path, marks } = found;
  const text = quoted(call, "text");
  const names = quoted(call, "glob");
  const says = [...found.says, ...(text?.whole ? ["text"] : []), ...(names?.whole ? ["glob"] : [])];
  const rest = { count: null, marks, says };
  if (text !== null && names !== null) {
    return { kind: "search_both", parts: { path, text, names }, ...rest };
  }
  if (text !== null) return { kind: "search_text", parts: { path, text }, ...rest };
  if (names !== null) return { kind: "search_names", parts: { path, names }, ...rest };
  return about("search", found);
};

function quoted({ arguments: args }: TargetedCall, argument: string) {
  const value = args[argument];
  return typeof value === "string" ? targetText(value) : null;
}

export const written: Subject = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  const { preview } = call;
  const isChange = preview?.kind === "text_change" || preview?.kind === "bytes_change";
  const kind = !isChange || preview.change === "edit" ? "write" : preview.change;
  return about(kind, runnable(found, call, startsScript(call.arguments)), countOf(call));
};

export const edited: Subject = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  return about("edit", runnable(found, call, false), countOf(call));
};

/** Adds the mark of a file that can be run once it is written. */
function runnable(found: Found, { preview }: TargetedCall, startsAsScript: boolean): Found {
  const isChange = preview?.kind === "text_change" || preview?.kind === "bytes_change";
  const runs =
    startsAsScript ||
    (isChange && preview.executable) ||
    (preview?.kind === "text_change" && beginsAsScript(preview)) ||
    namesProgram(found.path);
  return runs ? { ...found, marks: [...found.marks, "executable"] } : found;
}

const namesProgram = ({ path }: TargetPath): boolean => runsByName(namesOf(path)?.at(-1) ?? "");

/** `#!` in text and in base64. */
const startsScript = ({ content, encoding }: TargetedCall["arguments"]): boolean =>
  typeof content === "string" && content.startsWith(encoding === "base64" ? "IyE" : "#!");

/** Where the difference shows the first line as it will be. */
function beginsAsScript({ hunks }: TextChange): boolean {
  const first = hunks.find(({ new_start }) => new_start <= 1);
  return first?.lines.find(({ kind }) => kind !== "removed")?.text.startsWith("#!") ?? false;
}

type TextChange = Extract<NonNullable<TargetedCall["preview"]>, { kind: "text_change" }>;

function countOf({ preview }: TargetedCall): TargetCount | null {
  if (preview?.kind === "bytes_change") return { kind: "bytes", count: preview.size_after };
  if (preview?.kind !== "text_change") return null;
  const lines = preview.hunks.flatMap((hunk) => hunk.lines);
  const count = (kind: "added" | "removed") => lines.filter((line) => line.kind === kind).length;
  return { kind: "lines", added: count("added"), removed: count("removed") };
}

export const moved: Subject = (call) => {
  const from = pathOf(call, "from", 2);
  const to = pathOf(call, "to", 2);
  if (from === null || to === null) return null;
  const runs: readonly PathMark[] = namesProgram(to.path) ? ["executable"] : [];
  return {
    kind: "move",
    parts: { from: from.path, to: to.path },
    count: entriesOf(call),
    marks: [...new Set([...to.marks, ...from.marks, ...runs])],
    says: [...from.says, ...to.says],
  };
};

export const deleted: Subject = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  const { preview } = call;
  const isFolder = preview?.kind === "entry" && preview.entry === "directory";
  return about(isFolder ? "delete_folder" : "delete", found, entriesOf(call));
};

const entriesOf = ({ preview }: TargetedCall): TargetCount | null =>
  preview?.kind === "entry" && preview.entries !== null
    ? { kind: "entries", count: preview.entries }
    : null;
