import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeElectronStandIn } from "../testing/electron-stand-in.ts";
import { makeDrivable } from "./drivable-app.ts";

const ROOT = new URL("../../", import.meta.url);

async function packaged() {
  const folder = mkdtempSync(join(tmpdir(), "consentry-drivable-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, "app");
  await makeElectronStandIn(app);
  const into = join(folder, "into");
  mkdirSync(into);
  return { app, into };
}

describe.runIf(process.platform === "linux")("a packaged app that tests can drive", () => {
  test("is a copy that may be debugged and starts the tests' entry; the app stays as it was", async () => {
    const { app, into } = await packaged();
    cpSync(join(app, "electron"), join(app, "consentry"));
    writeFileSync(join(app, "resources/app.asar"), "the archive");
    const path = await makeDrivable(app, into, ROOT);
    expect(path).toBe(join(into, "consentry"));
    const wire = await getCurrentFuseWire(path);
    expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(FuseState.ENABLE);
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.DISABLE);
    const entry = join(into, "resources/app");
    const { main } = JSON.parse(readFileSync(join(entry, "package.json"), "utf8"));
    expect(existsSync(join(entry, main))).toBe(true);
    expect(readFileSync(join(into, "resources/app.asar"), "utf8")).toBe("the archive");
    expect(existsSync(join(app, "resources/app"))).toBe(false);
  });

  test("is made of nothing else", async () => {
    const { app, into } = await packaged();
    await expect(makeDrivable(app, into, ROOT)).rejects.toThrow(/no packaged app/);
  });
});
