import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

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

/** The compiler's declarations import `./x.ts`; next to them is `./x.d.ts`. */
const declarations: Plugin = {
  name: "declarations",
  resolveId(id, importer) {
    if (importer === undefined || !/^\..*(?<!\.d)\.ts$/.test(id)) return null;
    return resolve(dirname(importer), id.replace(/\.ts$/, ".d.ts"));
  },
};

/** One file of types for each entry, with nothing in it that they do not use. */
async function packTypes(outDir: string): Promise<void> {
  const all = mkdtempSync(join(tmpdir(), "consentry-types-"));
  try {
    for (const room of ["sdk", "app", "runtime"])
      cpSync(join(ROOT, ".types", room, room), join(all, room), { recursive: true });
    const types = await rolldown({
      input: { index: join(all, "sdk/index.d.ts"), models: join(all, "sdk/models/index.d.ts") },
      external: /^(?![./])/,
      plugins: [
        declarations,
        dts({ dtsInput: true, emitDtsOnly: true, generator: "oxc", tsconfig: false }),
      ],
    });
    await types.write({ dir: outDir, chunkFileNames: "shared.d.ts" });
  } finally {
    rmSync(all, { recursive: true });
  }
}

run(process.execPath, ["scripts/build.ts"], ROOT);
run("tsc", ["-b", "sdk"], ROOT);
const folder = mkdtempSync(join(tmpdir(), "consentry-sdk-"));
try {
  cpSync(join(ROOT, "dist/sdk"), folder, { recursive: true });
  await packTypes(join(folder, "types"));
  for (const file of ["package.json", "README.md"])
    cpSync(join(ROOT, "sdk", file), join(folder, file));
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  run("npm", ["pack", "--silent", "--pack-destination", destination], folder);
} finally {
  rmSync(folder, { recursive: true });
}
