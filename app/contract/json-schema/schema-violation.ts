import Type from "typebox";
import { guardOf } from "../checked.ts";
import { LIMITS } from "../limits.ts";

/** Where a value broke its schema. Never the value: arguments hold secrets (contract §6). */
export interface SchemaViolation {
  /** RFC 6901 JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
}

export const isViolation: (value: unknown) => value is SchemaViolation = guardOf(
  Type.Object(
    {
      pointer: Type.String({ maxLength: LIMITS.violationPointerChars }),
      keyword: Type.String({ maxLength: 64 }),
    },
    { additionalProperties: false },
  ),
);

/** Short enough to be sent: of a long pointer, as much as leads to a part of the value. */
export function boundedViolation({ pointer, keyword }: SchemaViolation): SchemaViolation {
  if (pointer.length <= LIMITS.violationPointerChars) return { pointer, keyword };
  const short = pointer.slice(0, LIMITS.violationPointerChars + 1);
  return { pointer: short.slice(0, short.lastIndexOf("/")), keyword };
}
