import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PACKAGE = new URL("../../node_modules/electron/", import.meta.url);

/** The Electron executable where one has been installed; never downloads one. */
export function electronBinary(): string | null {
  const named = new URL("path.txt", PACKAGE);
  if (!existsSync(named)) return null;
  const name = readFileSync(named, "utf8").trim();
  const chosen = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const binary =
    chosen === undefined ? fileURLToPath(new URL(`dist/${name}`, PACKAGE)) : `${chosen}/${name}`;
  return existsSync(binary) ? binary : null;
}
