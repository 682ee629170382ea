import Type from "typebox";

/** Characters (UTF-16 units) of text that may pass through the clipboard tools. */
export const CLIPBOARD_MAX_CHARS = 262_144;

export const readClipboardSchema = Type.Object({}, { additionalProperties: false });

export const writeClipboardSchema = Type.Object(
  { text: Type.String({ maxLength: CLIPBOARD_MAX_CHARS }) },
  { additionalProperties: false },
);
export type WriteClipboardArguments = Type.Static<typeof writeClipboardSchema>;

export interface ReadClipboardResult {
  readonly text: string;
}

export interface WriteClipboardResult {
  /** UTF-16 units written. */
  readonly length: number;
}
