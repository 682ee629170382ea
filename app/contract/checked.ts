import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Errors } from "typebox/value";
import type { SchemaViolation } from "./json-schema/schema-violation.ts";

/** A type guard made from one of our own schemas, never from one written by an agent. */
export function guardOf<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  let check: ((value: unknown) => boolean) | undefined;
  return (value): value is Static<T> => {
    check ??= checkOf(schema);
    return check(value);
  };
}

/** The first place where a value breaks one of our own schemas; undefined if it is valid. */
export function violationOf(schema: TSchema, value: unknown): SchemaViolation | undefined {
  const [error] = Errors(schema, value);
  return error && { pointer: error.instancePath, keyword: error.keyword };
}

function checkOf(schema: TSchema): (value: unknown) => boolean {
  const compiled = Compile(schema);
  return (value) => compiled.Check(value);
}
