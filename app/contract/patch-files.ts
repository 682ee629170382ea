import type { DiffLine } from "./consent-preview.ts";
import type { JsonObject } from "./json.ts";

/** What a patch does to one file, as Codex writes it. */
export interface PatchedFile {
  readonly change: "add" | "update" | "delete";
  /** Absolute. */
  readonly path: string;
  /** Where it is moved; null: it stays. */
  readonly to: string | null;
  readonly hunks: readonly PatchedHunk[];
}

interface PatchedHunk {
  /** What the patch says of its place. */
  readonly at: string;
  readonly lines: readonly DiffLine[];
}

const CHANGES = { Add: "add", Update: "update", Delete: "delete" } as const;
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const MOVE = /^\*\*\* Move to: (.+?)\s*$/;
const KINDS: Readonly<Record<string, DiffLine["kind"]>> = {
  "+": "added",
  "-": "removed",
  " ": "same",
};

interface Reading {
  readonly change: PatchedFile["change"];
  readonly named: string;
  to: string | null;
  readonly hunks: { readonly at: string; readonly lines: DiffLine[] }[];
}

/**
 * The files of an `apply_patch` call with every line that the patch has for them; null: something in it is not of the
 * form that is known, so that only the patch itself shows it.
 */
export function patchedFiles({ patch, paths }: JsonObject): readonly PatchedFile[] | null {
  if (typeof patch !== "string" || !Array.isArray(paths)) return null;
  const [first, ...lines] = patch.trim().split("\n");
  if (first?.trim() !== "*** Begin Patch" || lines.pop()?.trim() !== "*** End Patch") return null;
  const files: Reading[] = [];
  for (const line of lines) if (!readLine(files, line)) return null;
  // As they were resolved, in the order in which the patch names them.
  const named = new Set(
    files.flatMap((file) => [file.named, ...(file.to === null ? [] : [file.to])]),
  );
  const isOnce = new Set(files.map((file) => file.named)).size === files.length;
  if (named.size !== paths.length || !isOnce) return null;
  const whole = new Map([...named].map((name, at) => [name, String(paths[at])]));
  const pathOf = (name: string): string => whole.get(name) ?? name;
  return files.map(({ change, named: name, to, hunks }) => ({
    change,
    path: pathOf(name),
    to: to === null ? null : pathOf(to),
    hunks,
  }));
}

/** False: not a line that a patch has there. */
function readLine(files: Reading[], line: string): boolean {
  const [, change, named] = FILE.exec(line) ?? [];
  if (change !== undefined && named !== undefined) {
    files.push({ change: CHANGES[change as keyof typeof CHANGES], named, to: null, hunks: [] });
    return true;
  }
  const file = files.at(-1);
  if (file === undefined || file.change === "delete") return false;
  const [, to] = MOVE.exec(line) ?? [];
  if (to !== undefined) {
    file.to = to;
    return file.change === "update" && file.hunks.length === 0;
  }
  if (file.change === "update" && line.startsWith("@@")) {
    file.hunks.push({ at: line.slice(2).trim(), lines: [] });
    return true;
  }
  return readContent(file, line);
}

function readContent(file: Reading, line: string): boolean {
  if (line.trim() === "*** End of File") return file.change === "update";
  const kind = line === "" ? "same" : KINDS[line[0] ?? ""];
  // What looks like a mark behind a space may be one to the agent.
  if (kind === "same" && line.trimStart().startsWith("***")) return false;
  if (kind === undefined || (file.change === "add" && kind !== "added")) return false;
  if (file.hunks.length === 0) file.hunks.push({ at: "", lines: [] });
  file.hunks.at(-1)?.lines.push({ kind, text: line.slice(1) });
  return true;
}
