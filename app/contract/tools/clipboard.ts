import Type from "typebox";
import { bare, quoting } from "../target/targets.ts";
import {
  CLIPBOARD_IMAGE_MAX_BASE64,
  CLIPBOARD_IMAGE_MAX_BYTES,
  CLIPBOARD_IMAGE_MAX_SIDE,
} from "./clipboard-image-limits.ts";
import { CHANGES, ownTool, READS } from "./tool-contract.ts";

/** Characters (UTF-16 units) of text that may pass through the clipboard tools. */
export const CLIPBOARD_MAX_CHARS = 262_144;

const writeText = Type.Object(
  { text: Type.String({ maxLength: CLIPBOARD_MAX_CHARS, description: "The whole text." }) },
  { additionalProperties: false, title: "text" },
);

const writeImage = Type.Object(
  {
    image: Type.String({
      minLength: 1,
      maxLength: CLIPBOARD_IMAGE_MAX_BASE64,
      pattern: "^[A-Za-z0-9+/]+={0,2}$",
      description:
        "A PNG in base64 (RFC 4648 §4), padded. The limit of a call's payload is reached first.",
    }),
  },
  { additionalProperties: false, title: "an image" },
);

const pixels = Type.Integer({
  minimum: 1,
  maximum: CLIPBOARD_IMAGE_MAX_SIDE,
  description: "Pixels, as the PNG states them.",
});
const imageFacts = {
  width: pixels,
  height: pixels,
  size_bytes: Type.Integer({ minimum: 1, description: "Of the PNG, not of its base64." }),
};

const clipboardText = Type.Object(
  { text: Type.String({ description: "The whole text." }) },
  { additionalProperties: false, title: "of text" },
);
const clipboardImage = Type.Object(
  {
    image: Type.String({ description: "A PNG in base64." }),
    mime_type: Type.Literal("image/png", { description: "Always this." }),
    ...imageFacts,
  },
  { additionalProperties: false, title: "of an image" },
);
export type ClipboardImage = Readonly<Type.Static<typeof clipboardImage>>;

const writtenText = Type.Object(
  { length: Type.Integer({ minimum: 0, description: "UTF-16 units written." }) },
  { additionalProperties: false, title: "of text" },
);
const writtenImage = Type.Object(imageFacts, {
  additionalProperties: false,
  title: "of an image",
});
export type WrittenImage = Readonly<Type.Static<typeof writtenImage>>;

export const readClipboard = ownTool({
  name: "read_clipboard",
  scope: "clipboard:read",
  leastSensitivity: "medium",
  quiet: "scope",
  nature: READS,
  target: ({ arguments: { format } }) =>
    bare(format === "image" ? "read_clipboard_image" : "read_clipboard", ["format"]),
  example: {},
  arguments: Type.Object(
    {
      format: Type.Optional(
        Type.Union([Type.Literal("text"), Type.Literal("image")], {
          default: "text",
          description: "What is wanted of the clipboard.",
        }),
      ),
    },
    {
      additionalProperties: false,
      description: `Reads what the person copied last. Text over ${CLIPBOARD_MAX_CHARS} UTF-16 units, or an image over ${CLIPBOARD_IMAGE_MAX_BYTES} bytes as a PNG, is \`too_large\`.`,
    },
  ),
  result: Type.Union([clipboardText, clipboardImage]),
  failures: ["clipboard_error", "clipboard_empty", "not_text", "not_an_image", "too_large"],
});

export const writeClipboard = ownTool({
  name: "write_clipboard",
  scope: "clipboard:write",
  leastSensitivity: "medium",
  quiet: "scope",
  nature: { ...CHANGES, idempotent: true },
  target: ({ arguments: { text, image } }) => {
    if (image !== undefined) return bare("copy_image", []);
    return typeof text === "string" ? quoting("copy_text", "text", text) : null;
  },
  example: { text: "Hello" },
  arguments: Type.Union([writeText, writeImage], {
    description:
      "Puts text or an image on the clipboard, never both: the clipboard holds one thing.",
  }),
  result: Type.Union([writtenText, writtenImage]),
  failures: ["clipboard_error", "not_an_image", "too_large"],
});
