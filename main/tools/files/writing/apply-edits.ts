import { EDIT_FILE_MAX_BYTES, type TextEdit } from "../../../../app/contract/tools/edit-file.ts";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { findText } from "./find-text.ts";

export interface Edited {
  readonly text: string;
  /** The number of places that were replaced. */
  readonly replacements: number;
}

/**
 * Makes the edits in order, each on the result of the previous one. Pure. A text that occurs twice
 * is not unique, even if the two overlap; `replace_all` replaces non-overlapping occurrences from
 * the left.
 * @throws ToolFailure `text_not_found`, `text_not_unique`, `too_large`
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): Edited {
  let edited: Edited = { text, replacements: 0 };
  for (const edit of edits) {
    const next = applyOne(edited.text, edit);
    edited = { text: next.text, replacements: edited.replacements + next.replacements };
  }
  return edited;
}

function applyOne(text: string, { old_text, new_text, replace_all = false }: TextEdit): Edited {
  const places = replace_all
    ? findText(text, old_text, false, Number.POSITIVE_INFINITY)
    : findText(text, old_text, true, 2);
  if (places.length === 0) throw new ToolFailure("text_not_found");
  if (places.length > 1 && !replace_all) throw new ToolFailure("text_not_unique");
  // Computed first: many short texts replaced by a long one could fill the memory.
  const length = text.length + places.length * (new_text.length - old_text.length);
  if (length > EDIT_FILE_MAX_BYTES) throw new ToolFailure("too_large");
  return { text: replaceAt(text, places, old_text.length, new_text), replacements: places.length };
}

function replaceAt(text: string, places: readonly number[], length: number, by: string): string {
  const kept = places.map((place, index) =>
    text.slice(index === 0 ? 0 : (places[index - 1] ?? 0) + length, place),
  );
  return [...kept, text.slice((places.at(-1) ?? 0) + length)].join(by);
}
