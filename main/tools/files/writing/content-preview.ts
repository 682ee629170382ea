import { structuredPatch } from "diff";
import type {
  ConsentPreview,
  DiffHunk,
  DiffLine,
} from "../../../../app/contract/consent-preview.ts";
import type { Preview } from "../../../../app/execution/ports.ts";
import { textOf } from "../../text-of.ts";
import { ABSENT, isLinked, type PresentFile } from "./present-file.ts";

/** What the person is shown of new content: a text difference, or only that bytes change. */
export function contentPreview(
  present: PresentFile | null,
  after: Uint8Array,
  change: "write" | "edit",
): Preview {
  const facts = {
    size_before: present === null ? null : Number(present.stat.size),
    size_after: after.length,
    executable: present !== null && (present.stat.mode & ANY_MAY_RUN) !== 0n,
    ...(present !== null && isLinked(present.stat) ? { linked: true as const } : {}),
  };
  const written = present === null ? "create" : "replace";
  const hunks = hunksOf(present === null ? NO_BYTES : present.bytes, after);
  const shown: ConsentPreview =
    hunks === null
      ? { kind: "bytes_change", change: written, ...facts }
      : { kind: "text_change", change: change === "edit" ? "edit" : written, ...facts, hunks };
  return { shown, seen: present?.mark ?? ABSENT };
}

const NO_BYTES = new Uint8Array();
/** Windows has no such bit in Node; there the file name's extension decides. */
const ANY_MAY_RUN = 0o111n;

function hunksOf(before: Uint8Array | null, after: Uint8Array) {
  const old = before === null ? null : shownText(before);
  const next = shownText(after);
  return old === null || next === null ? null : textHunks(old, next);
}

/** A NUL is valid UTF-8, but does not occur in text. */
function shownText(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : textOf(bytes);
}

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;

/**
 * Beyond this many changed lines, the smallest difference is not searched for: it would take too
 * long.
 */
const EDITS_MAX = 2000;
const LOOK_MS = 1000;

/** Limits of what a person can read and a page can show, in UTF-16 units and in lines. */
const SHOWN_CHARS_MAX = 262_144;
const SHOWN_LINES_MAX = 10_000;

const KINDS: ReadonlyMap<string, DiffLine["kind"]> = new Map([
  [" ", "same"],
  ["+", "added"],
  ["-", "removed"],
]);

/**
 * The complete difference between two texts: it is enough to rebuild either from the other. If
 * finding it would take too long, it is all lines of one and all lines of the other. Null: too much
 * to show.
 */
export function textHunks(before: string, after: string): readonly DiffHunk[] | null {
  const hunks = smallest(before, after) ?? [wholesale(before, after)];
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const chars = lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines.length > SHOWN_LINES_MAX || chars > SHOWN_CHARS_MAX ? null : hunks;
}

function smallest(before: string, after: string): readonly DiffHunk[] | null {
  if (before === after) return [];
  // If one side is empty, the result is trivial, but would take the longest to compute.
  if (before === "" || after === "") return null;
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: EDITS_MAX,
    timeout: LOOK_MS,
  });
  if (patch === undefined) return null;
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({
    old_start: oldStart,
    new_start: newStart,
    lines: toLines(lines),
  }));
}

/** Lines as in a patch file, where `\` means that the line above has no line feed. */
function toLines(patched: readonly string[]): readonly DiffLine[] {
  return patched.flatMap((line, index) => {
    const kind = KINDS.get(line.slice(0, 1));
    if (kind === undefined) return [];
    const open = patched[index + 1]?.startsWith("\\") ?? false;
    return [toLine(kind, line.slice(1), open)];
  });
}

const wholesale = (before: string, after: string): DiffHunk => ({
  old_start: 1,
  new_start: 1,
  lines: [...allLines("removed", before), ...allLines("added", after)],
});

function allLines(kind: DiffLine["kind"], text: string): readonly DiffLine[] {
  const lines = text.split("\n");
  const ended = lines.at(-1) === "";
  if (ended) lines.pop();
  return lines.map((line, index) => toLine(kind, line, !ended && index === lines.length - 1));
}

const toLine = (kind: DiffLine["kind"], text: string, open: boolean): DiffLine =>
  open ? { kind, text, no_newline: true } : { kind, text };
