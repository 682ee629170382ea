import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Path of an installed Electron binary, otherwise null. Looks in the same places as the `electron`
 * package, which cannot be imported here because that would start a download.
 */
export function findElectron(root: URL, env: NodeJS.ProcessEnv): string | null {
  const folder = fileURLToPath(new URL("node_modules/electron/", root));
  const name = readName(join(folder, "path.txt"));
  const overridden = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (overridden) return existing(join(overridden, name ?? "electron"));
  return name === null ? null : existing(join(folder, "dist", name));
}

/** One that is installed for all programs; npm's own command of that name would start a download. */
export function electronOnPath(env: NodeJS.ProcessEnv): string | null {
  const name = process.platform === "win32" ? "electron.exe" : "electron";
  const folders = (env.PATH ?? "")
    .split(delimiter)
    .filter((each) => !each.includes("node_modules"));
  for (const folder of folders) {
    const found = folder === "" ? null : existing(join(folder, name));
    if (found !== null) return found;
  }
  return null;
}

const existing = (path: string): string | null => (existsSync(path) ? path : null);

function readName(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null;
  }
}
