import { readFileSync } from "node:fs";

/** Descriptors a process needs besides its connections: files, pipes, the event loop's own. */
const OTHERS = 100;

/**
 * How many connections a process can have on this machine. Node raises the soft limit to the hard
 * one when it starts, so what it sees now is the maximum; infinite if the system does not say.
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
