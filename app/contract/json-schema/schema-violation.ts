import Type, { type TSchema } from "typebox";
import { Errors } from "typebox/value";
import { guardOf } from "../checked.ts";
import { LIMITS } from "../limits.ts";

/** Where a value broke its schema. Never the value: arguments hold secrets (contract §6). */
export interface SchemaViolation {
  /** RFC 6901 JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
}

/** As it is sent. */
const Violation = Type.Object(
  {
    pointer: Type.String({ maxLength: LIMITS.violationPointerChars }),
    keyword: Type.String({ maxLength: 64 }),
  },
  { additionalProperties: false },
);
export const isViolation: (value: unknown) => value is SchemaViolation = guardOf(Violation);

/**
 * The first place where a value breaks one of our own schemas; undefined if it is valid. Where the schema is a choice,
 * a branch that has all of the value's properties is preferred.
 */
export function violationOf(schema: TSchema, value: unknown): SchemaViolation | undefined {
  const errors = Errors(schema, value);
  const places = new Set(errors.map(({ schemaPath }) => schemaPath));
  const meant = errors.find(({ schemaPath }) => {
    const [branch] = /^#\/anyOf\/\d+/.exec(schemaPath) ?? [];
    return branch !== undefined && !places.has(`${branch}/additionalProperties`);
  });
  const error = meant ?? errors[0];
  return error && { pointer: error.instancePath, keyword: keywordOf(error) };
}

/**
 * What no property may have is forbidden by the schema `false`, under `additionalProperties`. A check of
 * our own, beyond JSON Schema, is about the form of a text.
 */
function keywordOf({ keyword }: { readonly keyword: string }): string {
  if (keyword === "boolean") return "additionalProperties";
  return keyword === "~refine" ? "format" : keyword;
}

/** Short enough to be sent: of a long pointer, as much as leads to a part of the value. */
export function boundedViolation({ pointer, keyword }: SchemaViolation): SchemaViolation {
  if (pointer.length <= LIMITS.violationPointerChars) return { pointer, keyword };
  const short = pointer.slice(0, LIMITS.violationPointerChars + 1);
  return { pointer: short.slice(0, short.lastIndexOf("/")), keyword };
}
