import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Calls that change something; between two of them a program may be killed, or asked to stop. */
const STEPS = [
  "openSync",
  "writeSync",
  "fchownSync",
  "fchmodSync",
  "fsyncSync",
  "linkSync",
  "renameSync",
  "unlinkSync",
  "mkdirSync",
  "rmdirSync",
] as const;

/**
 * For tests: calls `before` ahead of every step that this process takes, with its number from 1 and its name,
 * until the function that is returned is called. What `before` throws, the step throws.
 */
export function watchSteps(before: (step: number, name: string) => void): () => void {
  const real = STEPS.map((name) => [name, fs[name]] as const);
  let step = 0;
  for (const [name, call] of real) {
    const watched = (...args: unknown[]): unknown => {
      if (name !== "openSync" || creates(args[1])) before(++step, name);
      return Reflect.apply(call, fs, args);
    };
    Object.assign(fs, { [name]: watched });
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, Object.fromEntries(real));
    syncBuiltinESMExports();
  };
}

const creates = (flags: unknown): boolean =>
  typeof flags === "number" && (flags & fs.constants.O_CREAT) !== 0;
