import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const BUILD = fileURLToPath(new URL("../../scripts/build.ts", import.meta.url));

/** For Vitest: the client's threads, and programs that it starts, run as they were built. */
export function setup(): void {
  // A process of its own: the build sets the environment's kind.
  execFileSync(process.execPath, [BUILD, "--quiet"], { stdio: "inherit" });
}
