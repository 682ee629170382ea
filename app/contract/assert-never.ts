/** Ends every `switch` over a closed union: a forgotten member is a compile error. */
export function assertNever(value: never): never {
  throw new TypeError(`unreachable value of type ${typeof value}`);
}
