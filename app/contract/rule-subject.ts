import { Type } from "typebox";

/** Characters of a pattern for names, and of a program's file or one of its arguments. */
const NAMES_CHARS = 255;
const PATH_CHARS = 4096;
const WORD_CHARS = 4096;
const WORDS = 64;

const closed = { additionalProperties: false } as const;

/** What a rule is about (contract §3). */
export const RuleSubject = Type.Union([
  Type.Object({ kind: Type.Literal("anything") }, closed),
  /** A file, or a folder and everything below it. */
  Type.Object(
    {
      kind: Type.Literal("path"),
      /** As `plainPath` returns it. */
      path: Type.String({ minLength: 1, maxLength: PATH_CHARS }),
      /** Only what has such a name: `*` stands for any characters, `?` for one. Null: whatever its name. */
      names: Type.Union([
        Type.String({ minLength: 1, maxLength: NAMES_CHARS, pattern: "^[^/\\\\]+$" }),
        Type.Null(),
      ]),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("host"),
      host: Type.String({ minLength: 1, maxLength: 255 }),
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      /** `reading`: GET and HEAD with harmless fields; `sending`: everything else. */
      method: Type.Enum(["reading", "sending", "any"]),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("command"),
      /** The program's file, with every link resolved. */
      program: Type.String({ minLength: 1, maxLength: PATH_CHARS }),
      /** How its arguments begin: whole ones, in this order. */
      begins: Type.Array(Type.String({ maxLength: WORD_CHARS }), { maxItems: WORDS }),
    },
    closed,
  ),
]);
export type RuleSubject = Type.Static<typeof RuleSubject>;

export const ANYTHING: RuleSubject = { kind: "anything" };
