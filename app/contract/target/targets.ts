import { namesOf } from "../folder-path.ts";
import { marksOfPath, type PathMark, runsByName } from "./path-marks.ts";
import {
  type BareKind,
  type CallTarget,
  type OnePathKind,
  type TargetCount,
  type TargetedCall,
  type TargetPath,
  targetPath,
  targetText,
} from "./target.ts";

/** What tools' calls are about is put together from these; a tool's own file says which. */

/** Null for arguments that a heading cannot show: those of a refused call may have any shape. */
export type TargetOf = (call: TargetedCall) => CallTarget | null;

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

export const about = (
  kind: OnePathKind,
  { path, marks, says }: Found,
  count: TargetCount | null = null,
): CallTarget => ({ kind, parts: { path }, count, marks, says });

export const onePath =
  (kind: OnePathKind): TargetOf =>
  (call) => {
    const found = pathOf(call, "path");
    return found === null ? null : about(kind, found);
  };

export function quoted({ arguments: args }: TargetedCall, argument: string) {
  const value = args[argument];
  return typeof value === "string" ? targetText(value) : null;
}

/** Adds the marks of a file that can be run once it is written, and of one that has another name. */
export function withFileMarks(
  found: Found,
  { preview }: TargetedCall,
  startsAsScript: boolean,
): Found {
  const isChange = preview?.kind === "text_change" || preview?.kind === "bytes_change";
  const runs =
    startsAsScript ||
    (isChange && preview.executable) ||
    (preview?.kind === "text_change" && beginsAsScript(preview)) ||
    namesProgram(found.path);
  const more: readonly PathMark[] = [
    ...(runs ? ["executable" as const] : []),
    ...(isChange && preview.linked === true ? ["linked" as const] : []),
  ];
  return { ...found, marks: [...found.marks, ...more] };
}

export const namesProgram = ({ path }: TargetPath): boolean =>
  runsByName(namesOf(path)?.at(-1) ?? "");

/** Where the difference shows the first line as it will be. */
function beginsAsScript({ hunks }: TextChange): boolean {
  const first = hunks.find(({ new_start }) => new_start <= 1);
  return first?.lines.find(({ kind }) => kind !== "removed")?.text.startsWith("#!") ?? false;
}

type TextChange = Extract<NonNullable<TargetedCall["preview"]>, { kind: "text_change" }>;

export function countOf({ preview }: TargetedCall): TargetCount | null {
  if (preview?.kind === "bytes_change") return { kind: "bytes", count: preview.size_after };
  if (preview?.kind !== "text_change") return null;
  const lines = preview.hunks.flatMap((hunk) => hunk.lines);
  const count = (kind: "added" | "removed") => lines.filter((line) => line.kind === kind).length;
  return { kind: "lines", added: count("added"), removed: count("removed") };
}

export const entriesOf = ({ preview }: TargetedCall): TargetCount | null =>
  preview?.kind === "entry" && preview.entries !== null
    ? { kind: "entries", count: preview.entries }
    : null;

export const NOTHING_MORE = { count: null, marks: [] };

/** @param says the arguments that the kind alone conveys */
export const bare = (kind: BareKind, says: readonly string[]): CallTarget => ({
  kind,
  parts: {},
  ...NOTHING_MORE,
  says,
});

export function quoting(kind: "copy_text" | "notify", argument: string, value: string): CallTarget {
  const text = targetText(value);
  return { kind, parts: { text }, ...NOTHING_MORE, says: text.whole ? [argument] : [] };
}
