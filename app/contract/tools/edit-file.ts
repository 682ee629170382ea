import Type from "typebox";

/** Bytes that a file may have before and after `edit_file`; past it: `too_large`. */
export const EDIT_FILE_MAX_BYTES = 1_048_576;

/** Replacements that one `edit_file` may ask for. */
export const EDIT_FILE_MAX_EDITS = 256;

const edit = Type.Object(
  {
    /** Must be there, character for character; line ends too. */
    old_text: Type.String({ minLength: 1, maxLength: 65_536 }),
    new_text: Type.String({ maxLength: 65_536 }),
    /** Without it `old_text` must be there exactly once. */
    replace_all: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export const editFileSchema = Type.Object(
  {
    /** Absolute path of a regular file of UTF-8 text inside one of the agent's roots. */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
    /** Made in order, each in the text that the one before left; all of them or none. */
    edits: Type.Array(edit, { minItems: 1, maxItems: EDIT_FILE_MAX_EDITS }),
  },
  { additionalProperties: false },
);
export type EditFileArguments = Type.Static<typeof editFileSchema>;
export type TextEdit = Type.Static<typeof edit>;

export interface EditFileResult {
  /** Places in which a text was replaced, over all edits. */
  readonly replacements: number;
  /** Bytes of the whole file. */
  readonly bytes_written: number;
  /** Lowercase hex, of the whole file. */
  readonly sha256: string;
}
