import Type from "typebox";
import { LIMITS } from "./limits.ts";
import { FileRule } from "./rule.ts";

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
