import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

function e2eElectron(...args: string[]) {
  const empty = mkdtempSync(join(tmpdir(), "consentry-no-electron-"));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  const script = fileURLToPath(new URL("./e2e-electron.ts", import.meta.url));
  return spawnSync(process.execPath, [script, ...args], {
    encoding: "utf8",
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: empty, PATH: empty },
  });
}

test("asked for and missing, Electron is a failure that says so, and nothing is run", () => {
  const { status, stderr, stdout } = e2eElectron();
  expect(status).toBe(1);
  expect(stderr).toContain("No end-to-end test was run: there is no Electron here");
  expect(stdout).toBe("");
});

test("a folder without a packaged app is a failure too", () => {
  const { status, stderr } = e2eElectron("--app", tmpdir());
  expect(status).toBe(1);
  expect(stderr).toContain("there is no packaged app in");
});
