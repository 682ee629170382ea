import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Calls that change something. A program may be killed or asked to stop between two of them. */
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
 * For tests: calls `before` ahead of every step of this process with its number (from 1) and name,
 * until the returned function is called. If `before` throws, the step throws that.
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
