/** How the name of a file ends that holds everything of the person's (docs/own-data.md). */
export const EXPORT_ENDING = ".consentry";

/**
 * Where opening such a file leads: to the place from which one can be imported. Anything can open a
 * file, so which one it was is neither said nor read.
 */
export const IMPORT_LINK = "consentry:open/import";

/** Bytes of a line: an artifact's files or a recording in base64, with room to spare. */
export const EXPORT_LINE_BYTES = 4 * 1_048_576;
