import Type, { type Static } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { LIMITS } from "../../../app/contract/limits.ts";

const closed = { additionalProperties: false } as const;

const HookVerdict = Type.Union([
  Type.Object({ kind: Type.Literal("allowed") }, closed),
  /** `reason`: of the contract's table, or `put_off` when the program is closing. */
  Type.Object(
    {
      kind: Type.Literal("refused"),
      reason: Type.String(),
      /** What the person told the agent with a denial. */
      message: Type.Optional(Type.String({ maxLength: LIMITS.personsWordsChars })),
    },
    closed,
  ),
]);
export type HookVerdict = Static<typeof HookVerdict>;
export const isHookVerdict: (value: unknown) => value is HookVerdict = guardOf(HookVerdict);
