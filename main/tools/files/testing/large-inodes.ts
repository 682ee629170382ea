import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const CALLS = ["statSync", "fstatSync", "lstatSync"] as const;

/**
 * For tests: until the returned function is called, every inode number that this process sees is an
 * odd one above 2^53. As with the file systems that have such numbers, only a bigint is exact.
 */
export function largeInodes(): () => void {
  const real = CALLS.map((name) => [name, fs[name]] as const);
  for (const [name, call] of real) {
    const enlarged = (file: unknown, options?: fs.StatOptions): unknown => {
      const stat = Reflect.apply(call, fs, [file, options]);
      if (stat === undefined) return undefined;
      const exact = Reflect.apply(call, fs, [file, { bigint: true }]) as fs.BigIntStats;
      const ino = 2n ** 53n + 2n * exact.ino + 1n;
      return Object.assign(stat, { ino: options?.bigint === true ? ino : Number(ino) });
    };
    Object.assign(fs, { [name]: enlarged });
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, Object.fromEntries(real));
    syncBuiltinESMExports();
  };
}
