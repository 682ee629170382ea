import Type from "typebox";

/** Bytes of a file that one `read_file` may return; a larger file is read in slices. */
export const READ_FILE_MAX_BYTES = 524_288;

export const readFileSchema = Type.Object(
  {
    /** Absolute path of a regular file inside one of the agent's roots. */
    path: Type.String({ minLength: 1, maxLength: 4096 }),
    /** First byte to return, from the start of the file. */
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    /** Bytes to return at most; without it the whole rest must fit the limit. */
    length: Type.Optional(Type.Integer({ minimum: 0, maximum: READ_FILE_MAX_BYTES })),
    /** `utf-8` refuses other bytes with `not_text`; `base64` takes any. */
    encoding: Type.Optional(Type.Union([Type.Literal("utf-8"), Type.Literal("base64")])),
  },
  { additionalProperties: false },
);
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
}
