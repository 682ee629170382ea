import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** A type guard made from one of our own schemas, never from one written by an agent. */
export function guardOf<T extends TSchema>(schema: T): (value: unknown) => value is Static<T> {
  let check: ((value: unknown) => boolean) | undefined;
  return (value): value is Static<T> => {
    check ??= checkOf(schema);
    return check(value);
  };
}

function checkOf(schema: TSchema): (value: unknown) => boolean {
  const compiled = Compile(schema);
  return (value) => compiled.Check(value);
}
