import Type from "typebox";
import { CLIPBOARD_IMAGE_MAX_BASE64 } from "./clipboard-image-limits.ts";

/** Characters (UTF-16 units) of text that may pass through the clipboard tools. */
export const CLIPBOARD_MAX_CHARS = 262_144;

export const readClipboardSchema = Type.Object(
  {
    /** `text` unless said. */
    format: Type.Optional(Type.Union([Type.Literal("text"), Type.Literal("image")])),
  },
  { additionalProperties: false },
);
export type ReadClipboardArguments = Type.Static<typeof readClipboardSchema>;

const writeText = Type.Object(
  { text: Type.String({ maxLength: CLIPBOARD_MAX_CHARS }) },
  { additionalProperties: false },
);

const writeImage = Type.Object(
  {
    /** A PNG in base64 (RFC 4648 §4). A call's own limit, 64 KiB, is reached first. */
    image: Type.String({
      minLength: 1,
      maxLength: CLIPBOARD_IMAGE_MAX_BASE64,
      pattern: "^[A-Za-z0-9+/]+={0,2}$",
    }),
  },
  { additionalProperties: false },
);

/** Text or an image, never both: the clipboard holds one thing. */
export const writeClipboardSchema = Type.Union([writeText, writeImage]);
export type WriteClipboardArguments = Type.Static<typeof writeClipboardSchema>;

export type ReadClipboardResult = ClipboardText | ClipboardImage;

export interface ClipboardText {
  readonly text: string;
}

export interface ClipboardImage {
  /** In base64. */
  readonly image: string;
  readonly mime_type: "image/png";
  /** Pixels, as the PNG states them. */
  readonly width: number;
  readonly height: number;
  /** Of the PNG, not of its base64. */
  readonly size_bytes: number;
}

export type WriteClipboardResult = WrittenText | WrittenImage;

export interface WrittenText {
  /** UTF-16 units written. */
  readonly length: number;
}

export type WrittenImage = Omit<ClipboardImage, "image" | "mime_type">;
