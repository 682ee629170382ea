import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Creates the package that agent developers install: the bundle, its types, and the SDK's own
 * package.json and README. The tarball goes to the given folder, or the current one.
 */
const ROOT = fileURLToPath(new URL("../", import.meta.url));
const destination = resolve(process.argv[2] ?? ".");

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
}

/** The types of test helpers are not published. */
const isPublic = (path: string): boolean =>
  !/[\\/](testing|examples|sample-agent)([\\/]|$)/.test(path);

run(process.execPath, ["scripts/build.ts"], ROOT);
run("tsc", ["-b", "sdk"], ROOT);
const folder = mkdtempSync(join(tmpdir(), "consentry-sdk-"));
try {
  cpSync(join(ROOT, "dist/sdk"), folder, { recursive: true });
  for (const room of ["sdk", "app", "runtime"]) {
    const types = join(ROOT, ".types", room, room);
    cpSync(types, join(folder, "types", room), { recursive: true, filter: isPublic });
  }
  for (const file of ["package.json", "README.md"])
    cpSync(join(ROOT, "sdk", file), join(folder, file));
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  run("npm", ["pack", "--silent", "--pack-destination", destination], folder);
} finally {
  rmSync(folder, { recursive: true });
}
