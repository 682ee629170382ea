import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPackage } from "@electron/asar";

/** Marks the place of the fuses in Electron's binary. */
const SENTINEL = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
/** As Electron is built: version 1, nine fuses, each the character 0 or 1. */
const FUSES = "101100011";

/** A folder laid out as Electron's for Linux, with a binary that has fuses and nothing else. */
export async function makeElectronStandIn(folder: string): Promise<void> {
  mkdirSync(join(folder, "resources"), { recursive: true });
  const wire = Buffer.concat([Buffer.from([1, FUSES.length]), Buffer.from(FUSES)]);
  const binary = Buffer.concat([Buffer.from(`#!/bin/false\n${SENTINEL}`), wire, Buffer.alloc(16)]);
  writeFileSync(join(folder, "electron"), binary);
  chmodSync(join(folder, "electron"), 0o755);
  for (const file of ["LICENSE", "LICENSES.chromium.html", "version"]) {
    writeFileSync(join(folder, file), `the stand-in's ${file}\n`);
  }
  const ownApp = join(folder, "own-app");
  mkdirSync(ownApp);
  writeFileSync(join(ownApp, "package.json"), "{}");
  await createPackage(ownApp, join(folder, "resources/default_app.asar"));
  rmSync(ownApp, { recursive: true });
}
