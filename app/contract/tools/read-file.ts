import Type from "typebox";

/** Bytes of a file that one `read_file` may return; a larger file is read in slices. */
export const READ_FILE_MAX_BYTES = 524_288;

/** Bytes that are scanned for lines from the start of a file; lines beyond are `too_large`. */
export const READ_FILE_MAX_SCAN_BYTES = 67_108_864;

/** Absolute path of a regular file inside one of the agent's roots. */
const path = Type.String({ minLength: 1, maxLength: 4096 });

const byBytes = Type.Object(
  {
    path,
    /** First byte to return, from the start of the file. */
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    /** Bytes to return at most; without it the whole rest must fit the limit. */
    length: Type.Optional(Type.Integer({ minimum: 0, maximum: READ_FILE_MAX_BYTES })),
    /** `utf-8` refuses other bytes with `not_text`; `base64` takes any. */
    encoding: Type.Optional(Type.Union([Type.Literal("utf-8"), Type.Literal("base64")])),
  },
  { additionalProperties: false },
);

const byLines = Type.Object(
  {
    path,
    /** First line to return; from 1, which it is unless said. */
    line_start: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    /** Lines to return at most; without it the whole rest must fit the limit. */
    line_count: Type.Optional(Type.Integer({ minimum: 1, maximum: READ_FILE_MAX_BYTES })),
    encoding: Type.Optional(Type.Literal("utf-8")),
  },
  { additionalProperties: false },
);

/** A slice is asked for in bytes or in lines, never in both. */
export const readFileSchema = Type.Union([byBytes, byLines]);
export type ReadFileArguments = Type.Static<typeof readFileSchema>;

export interface ReadFileResult {
  readonly content: string;
  readonly encoding: "utf-8" | "base64";
  /** Byte offset of the first byte of `content`. */
  readonly offset: number;
  /** Bytes of the file that `content` stands for. */
  readonly length: number;
  /** Bytes of the whole file when it was read. */
  readonly size_bytes: number;
  /** True when nothing follows `content`. */
  readonly end_of_file: boolean;
  /** Only when lines were asked for: the number of the first line of `content`. */
  readonly line_start?: number;
  /** Only when lines were asked for: how many there are in `content`, ended by `\n` each. */
  readonly lines?: number;
}
