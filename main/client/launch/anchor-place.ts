import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { makeOwnFolder, ownFileError } from "../../../runtime/files/own-file.ts";

/** The system's folder for settings: outside the data folder, so restoring that does not affect it. */
export const anchorFolder = (): string =>
  join(envPaths("Consentry", { suffix: "" }).config, "anchors");

/**
 * A folder of ours outside the data folder, created if missing; null if it cannot be created: then there
 * is nothing in it to protect.
 * @throws OwnFileError when something else has its path
 */
export function openOutsideFolder(folder: string, failed: (error: unknown) => void): string | null {
  try {
    makeOwnFolder(folder);
    return folder;
  } catch (error) {
    if (ownFileError.is(error)) throw error;
    failed(error);
    return null;
  }
}

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
