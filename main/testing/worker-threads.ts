import { readdirSync, readFileSync } from "node:fs";

/** How many worker threads this process has; on Linux only. */
export const workerThreads = (): number =>
  readdirSync("/proc/self/task").filter((id) => nameOf(id) === "WorkerThread\n").length;

function nameOf(id: string): string | null {
  try {
    return readFileSync(`/proc/self/task/${id}/comm`, "utf8");
  } catch {
    // It ended meanwhile.
    return null;
  }
}
