import { readFileSync } from "node:fs";

/** What a process holds besides its connections: files, pipes, the loop's own. */
const OTHERS = 100;

/**
 * How many connections a process of this machine can hold. Node raises the soft limit to the hard
 * one at its start, so what it sees now is all there is; infinite where the system does not say.
 */
export function connectionLimit(limits = readLimits()): number {
  const [, soft = "unlimited"] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft) - OTHERS;
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
