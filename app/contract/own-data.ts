import Type from "typebox";
import { LIMITS } from "./limits.ts";
import { FileRule } from "./rule.ts";

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

const Name = Type.String({ minLength: 1, maxLength: 128 });
const closed = { additionalProperties: false } as const;

/**
 * What the person had given an agent, as an imported file says. It is nothing but a list to choose from:
 * no call is decided by it.
 */
export const FormerAgent = Type.Object(
  {
    /** As in the file; nobody's id here. */
    former_id: Name,
    name: Name,
    petname: Type.Union([Name, Type.Null()]),
    /** Lists that were kept before this was known do without. */
    suspended: Type.Optional(Type.Boolean()),
    scopes: Type.Array(Name, { maxItems: 1_000 }),
    roots: Type.Array(
      Type.Object(
        {
          path: Type.String({ minLength: 1, maxLength: 4_096 }),
          access: Type.Enum(["read", "read_write"]),
        },
        closed,
      ),
      { maxItems: 1_000 },
    ),
    hosts: Type.Array(
      Type.Object(
        {
          host: Type.String({ minLength: 1, maxLength: 255 }),
          port: Type.Integer({ minimum: 1, maximum: 65_535 }),
        },
        closed,
      ),
      { maxItems: 1_000 },
    ),
    /** Without those for a task, and those that answer high ones. */
    rules: Type.Array(FileRule, { maxItems: LIMITS.ruleFileRules }),
  },
  closed,
);
export type FormerAgent = Type.Static<typeof FormerAgent>;
