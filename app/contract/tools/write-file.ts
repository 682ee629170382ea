import Type from "typebox";

/**
 * Characters of `content` that one `write_file` may carry. The payload of a call (contract §1) is
 * reached before.
 */
export const WRITE_FILE_MAX_CHARS = 65_536;

/** Absolute path of a regular file, there or not, inside one of the agent's roots. */
const path = Type.String({ minLength: 1, maxLength: 4096 });

/** `replace`, which it is unless said, keeps the permissions; `fail`: `already_exists`. */
const ifExists = Type.Union([Type.Literal("replace"), Type.Literal("fail")]);

const asText = Type.Object(
  {
    path,
    content: Type.String({ maxLength: WRITE_FILE_MAX_CHARS }),
    encoding: Type.Optional(Type.Literal("utf-8")),
    if_exists: Type.Optional(ifExists),
  },
  { additionalProperties: false },
);

const asBytes = Type.Object(
  {
    path,
    /** RFC 4648 §4, padded, without white space. */
    content: Type.String({
      maxLength: WRITE_FILE_MAX_CHARS,
      pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    }),
    encoding: Type.Literal("base64"),
    if_exists: Type.Optional(ifExists),
  },
  { additionalProperties: false },
);

/** The file is replaced whole or not at all. */
export const writeFileSchema = Type.Union([asText, asBytes]);
export type WriteFileArguments = Type.Static<typeof writeFileSchema>;

export interface WriteFileResult {
  /** False: it took the place of a file that was there. */
  readonly created: boolean;
  readonly bytes_written: number;
  /** Lowercase hex, of the bytes written. */
  readonly sha256: string;
}
