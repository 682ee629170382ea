import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import envPaths from "env-paths";

/** Where the system keeps a program's settings: apart from its data, so a copy of that leaves it. */
export const anchorFolder = (): string =>
  join(envPaths("Consentry", { suffix: "" }).config, "anchors");

const NAME_DIGITS = 32;

/** Each data folder has an anchor of its own, whatever links lead to it. */
export function anchorFile(folder: string, dataDir: string): string {
  const name = createHash("sha256").update(realPathOf(dataDir)).digest("hex");
  return join(folder, `${name.slice(0, NAME_DIGITS)}.json`);
}

function realPathOf(dataDir: string): string {
  try {
    return realpathSync(dataDir);
  } catch {
    return resolve(dataDir);
  }
}
