import {
  EDIT_FILE_MAX_BYTES,
  type EditFileResult,
  editFile,
  type TextEdit,
} from "../../app/contract/tools/edit-file.ts";
import { type Preview, toolFailure } from "../../app/execution/ports.ts";
import { fileTool, type Seen } from "./files/file-tool.ts";
import { withParentInside } from "./files/opening/safe-open.ts";
import type { Place } from "./files/paths/folder-preflight.ts";
import type { SharedNumbers } from "./files/shared-numbers.ts";
import { changePreflight, placeOf } from "./files/writing/change-preflight.ts";
import { contentPreview } from "./files/writing/content-preview.ts";
import type { HeldFolder } from "./files/writing/held-folder.ts";
import {
  isLinked,
  type PresentFile,
  readPresent,
  requireWritable,
  sha256Of,
} from "./files/writing/present-file.ts";
import { isTemporaryName, putFile, rewriteFile } from "./files/writing/put-file.ts";
import { textOf } from "./text-of.ts";

/** `edit_file` (contract §4). */
export const editFileTool = fileTool(editFile, {
  preflight: ({ path }, { roots }, ground) => changePreflight(path, roots, ground, "content"),
  job: ({ path, edits }, roots, ground, seen): EditJob => ({
    ...placeOf(path, roots, ground),
    edits,
    seen,
  }),
  perform: (job, { stop }) => editContent(job, stop),
  draw: previewEdit,
  changes: (job) => [job],
});

export interface EditJob extends Place, Seen {
  readonly edits: readonly TextEdit[];
}

/**
 * Replaces texts in a file (contract §4). The file must not change between being read and being
 * replaced.
 * @throws ToolFailure
 */
export function editContent(job: EditJob, stop: SharedNumbers): EditFileResult {
  return withParentInside(job.rootPath, job.path, ({ folder, name }) => {
    const present = presentText(folder, name);
    if (job.seen !== null && job.seen !== present.mark) {
      throw toolFailure("changed_since_shown");
    }
    const { replacements, bytes } = edit(present, job);
    const { stat: like, mark } = present;
    // Put under this name alone, the new text would part it from the file's other names.
    if (isLinked(like)) rewriteFile(folder, { name, bytes, mark }, stop);
    else putFile(folder, { name, bytes, like, over: { mark } }, stop);
    return { replacements, bytes_written: bytes.length, sha256: sha256Of(bytes) };
  });
}

/** @throws ToolFailure */
export function previewEdit(job: EditJob): Preview {
  return withParentInside(job.rootPath, job.path, ({ folder, name }) => {
    const present = presentText(folder, name);
    return contentPreview(present, edit(present, job).bytes, "edit");
  });
}

interface PresentText extends PresentFile {
  readonly text: string;
}

function presentText(folder: HeldFolder, name: string): PresentText {
  if (isTemporaryName(name)) throw toolFailure("invalid_path");
  const present = readPresent(folder, name);
  if (present === null) throw toolFailure("not_found");
  requireWritable(folder, name);
  if (present.bytes === null) throw toolFailure("too_large");
  const text = textOf(present.bytes);
  if (text === null) throw toolFailure("not_text");
  return { ...present, text };
}

function edit(
  { text }: PresentText,
  { edits }: EditJob,
): Pick<Edited, "replacements"> & { readonly bytes: Uint8Array } {
  const edited = applyEdits(text, edits);
  const bytes = new TextEncoder().encode(edited.text);
  if (bytes.length > EDIT_FILE_MAX_BYTES) throw toolFailure("too_large");
  return { replacements: edited.replacements, bytes };
}

interface Edited {
  readonly text: string;
  /** The number of places that were replaced. */
  readonly replacements: number;
}

/**
 * Makes the edits in order, each on the result of the previous one. Pure. A text that occurs twice
 * is not unique, even if the two overlap; `replace_all` replaces non-overlapping occurrences from
 * the left. Line ends and byte order mark stay the file's own, whatever the edits are written with.
 * @throws ToolFailure `text_not_found`, `text_not_unique`, `too_large`
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): Edited {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const asHere = writtenLike(text, mark);
  let edited: Edited = { text: text.slice(mark.length), replacements: 0 };
  for (const { old_text, new_text, replace_all } of edits) {
    const edit = { old_text: asHere(old_text), new_text: asHere(new_text), replace_all };
    const next = applyOne(edited.text, edit);
    edited = { text: next.text, replacements: edited.replacements + next.replacements };
  }
  return { ...edited, text: mark + edited.text };
}

const BYTE_ORDER_MARK = "\ufeff";

/** An edit's text with the line ends of the file, if those are all of one kind, and without its mark. */
function writtenLike(text: string, mark: string): (written: string) => string {
  const unmarked = (written: string) =>
    mark !== "" && written.startsWith(mark) ? written.slice(mark.length) : written;
  const [hasLf, hasCrLf] = [/(?<!\r)\n/u.test(text), text.includes("\r\n")];
  if (hasLf === hasCrLf) return unmarked;
  return (written) => unmarked(written).replaceAll(/\r?\n/gu, hasLf ? "\n" : "\r\n");
}

type AdaptedEdit = Omit<TextEdit, "replace_all"> & { readonly replace_all: boolean | undefined };

function applyOne(text: string, { old_text, new_text, replace_all = false }: AdaptedEdit): Edited {
  const places = replace_all
    ? findText(text, old_text, false, Number.POSITIVE_INFINITY)
    : findText(text, old_text, true, 2);
  if (places.length === 0) throw toolFailure("text_not_found");
  if (places.length > 1 && !replace_all) throw toolFailure("text_not_unique");
  // Computed first: many short texts replaced by a long one could fill the memory.
  const length = text.length + places.length * (new_text.length - old_text.length);
  if (length > EDIT_FILE_MAX_BYTES) throw toolFailure("too_large");
  return { text: replaceAt(text, places, old_text.length, new_text), replacements: places.length };
}

function replaceAt(text: string, places: readonly number[], length: number, by: string): string {
  const kept = places.map((place, index) =>
    text.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + length, place),
  );
  return [...kept, text.slice((places.at(-1) ?? 0) + length)].join(by);
}

/**
 * Where `sought` begins in `text`, from the left, in linear time (Knuth, Morris, Pratt). `indexOf`
 * takes quadratic time for texts that nearly match everywhere, and nothing could interrupt it.
 *
 * @param overlapping whether one match may begin inside another
 * @param most stops after this many matches
 */
export function findText(
  text: string,
  sought: string,
  overlapping: boolean,
  most: number,
): readonly number[] {
  const borders = bordersOf(sought);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && places.length < most; at += 1) {
    while (matched > 0 && text[at] !== sought[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === sought[matched]) matched += 1;
    if (matched < sought.length) continue;
    places.push(at + 1 - sought.length);
    matched = overlapping ? (borders.at(-1) ?? 0) : 0;
  }
  return places;
}

/** For each prefix of `text`, the length of its longest proper prefix that is also its suffix. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
