import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";

/** Where the app's parts are in its folder, by system. */
const PLACES: Partial<
  Record<NodeJS.Platform, { readonly program: string; readonly resources: string }>
> = {
  linux: { program: "consentry", resources: "resources" },
  win32: { program: "Consentry.exe", resources: "resources" },
  darwin: {
    program: "Consentry.app/Contents/MacOS/Consentry",
    resources: "Consentry.app/Contents/Resources",
  },
};

/** What the tests start instead of the app's own entry: the same program, with time that can jump. */
const ENTRY = ["run-desktop-entry.mjs", "jumping-time.mjs", "send-limits.mjs"] as const;

/**
 * A copy of a packaged app that tests can drive. Its fuses keep everybody out, tests too: in the copy, it
 * may be debugged, and starts an entry beside its archive. All that this entry runs is in the archive.
 *
 * @param app its folder, as packaged
 * @param into an empty folder
 * @returns the path of the copy's program
 * @throws Error when there is no packaged app in the folder
 */
export async function makeDrivable(app: string, into: string, root: URL): Promise<string> {
  const place = PLACES[process.platform];
  if (place === undefined) throw new Error(`nothing is packaged for ${process.platform}`);
  const { program, resources } = place;
  for (const part of [program, join(resources, "app.asar")]) {
    if (!existsSync(join(app, part)))
      throw new Error(`there is no packaged app in ${app}: ${part}`);
  }
  cpSync(app, into, { recursive: true, verbatimSymlinks: true });
  const entry = join(into, resources, "app");
  mkdirSync(entry);
  const { 0: main } = ENTRY;
  writeFileSync(join(entry, "package.json"), JSON.stringify({ type: "module", main }));
  for (const file of ENTRY) {
    copyFileSync(fileURLToPath(new URL(`e2e/support/${file}`, root)), join(entry, file));
  }
  const path = join(into, program);
  await flipFuses(process.platform === "darwin" ? dirname(dirname(dirname(path))) : path, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: true,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.OnlyLoadAppFromAsar]: false,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: false,
  });
  return path;
}
