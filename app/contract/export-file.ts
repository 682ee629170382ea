/** How the name of a file ends that holds everything of the person's (docs/own-data.md). */
export const EXPORT_ENDING = ".consentry";

/**
 * Where opening such a file leads: to the place from which one can be imported. Anything can open a
 * file, so which one it was is neither said nor read.
 */
export const IMPORT_LINK = "consentry:open/import";

/**
 * Bytes of a line, with room to spare: the longest message that a frame carries, whose numbers may take
 * more than four times the bytes in it (`1e20`).
 */
export const EXPORT_LINE_BYTES = 8 * 1_048_576;
