import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { electronOnPath, findElectron } from "./find-electron.ts";
import { makeDrivable } from "./packaging/drivable-app.ts";

/**
 * Runs the end-to-end tests on real Electron: the one in `ELECTRON_OVERRIDE_DIST_PATH`, in `node_modules` or
 * in the `PATH`. With `--app DIR`, on the packaged app in that folder. Fails if there is none. Other
 * arguments go to Playwright.
 */
const ROOT = new URL("../", import.meta.url);
const { values, positionals } = parseArgs({
  options: { app: { type: "string" } },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), "consentry-app-"));

async function program(): Promise<{ readonly path: string; readonly packaged: boolean }> {
  if (values.app !== undefined) {
    return { path: await makeDrivable(values.app, folder, ROOT), packaged: true };
  }
  const path = findElectron(ROOT, process.env) ?? electronOnPath(process.env);
  if (path === null) throw new Error("there is no Electron here (npm start fetches it)");
  return { path, packaged: false };
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const { status } = spawnSync(command, args, {
    cwd: fileURLToPath(ROOT),
    stdio: "inherit",
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  return status === 0;
}

try {
  const { path, packaged } = await program();
  const tests = [
    "test",
    "--config",
    "e2e/playwright.config.ts",
    "--project",
    "desktop host, Electron",
  ];
  const env = {
    CONSENTRY_E2E_ELECTRON: path,
    ...(packaged ? { CONSENTRY_E2E_PACKAGED: "1" } : {}),
  };
  const passed =
    run(process.execPath, ["scripts/build.ts"], {}) &&
    run("playwright", [...tests, ...positionals], env);
  if (!passed) process.exitCode = 1;
} catch (error) {
  console.error(`No end-to-end test was run: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
