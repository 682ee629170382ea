import { fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** One call of `node:fs`, named without `Sync`. */
export type NeighbourStep = readonly [call: "rename" | "symlink" | "link" | "unlink", ...string[]];

const PROCESS = fileURLToPath(new URL("./neighbour-process.ts", import.meta.url));

/**
 * For tests: calls `work` again and again until it returns that it is done, while another process
 * repeats each list of steps in turn, whether or not they succeed.
 */
export async function besideNeighbour(
  steps: readonly (readonly NeighbourStep[])[],
  work: () => Promise<boolean>,
): Promise<void> {
  const other = fork(PROCESS, [JSON.stringify(steps)], { stdio: "inherit" });
  const ended = once(other, "exit");
  try {
    await once(other, "message");
    while (other.exitCode === null && !(await work())) await turn();
    if (other.exitCode !== null) throw new Error("the neighbour has failed");
  } finally {
    if (other.connected) other.disconnect();
    await ended;
  }
}
