import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PACKAGE = new URL("../../node_modules/electron/", import.meta.url);

/**
 * The Electron executable where one has been installed; never downloads one. `npm run e2e:electron` names
 * the one it found.
 */
export function electronBinary(): string | null {
  const named = process.env.CONSENTRY_E2E_ELECTRON;
  return named === undefined ? installedBinary() : named;
}

function installedBinary(): string | null {
  const named = new URL("path.txt", PACKAGE);
  if (!existsSync(named)) return null;
  const name = readFileSync(named, "utf8").trim();
  const chosen = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const binary =
    chosen === undefined ? fileURLToPath(new URL(`dist/${name}`, PACKAGE)) : `${chosen}/${name}`;
  return existsSync(binary) ? binary : null;
}
