import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { makeOwnFolder, OwnFileError } from "../../../crypto/own-file.ts";

/** Where the system keeps a program's settings: apart from its data, so a copy of that leaves it. */
export const anchorFolder = (): string =>
  join(envPaths("Consentry", { suffix: "" }).config, "anchors");

/**
 * The folder, made where it is missing; null where the disk does not take it: then there is none, and
 * nothing to protect.
 * @throws OwnFileError when something else stands in its place
 */
export function openAnchorFolder(folder: string, failed: (error: unknown) => void): string | null {
  try {
    makeOwnFolder(folder);
    return folder;
  } catch (error) {
    if (error instanceof OwnFileError) throw error;
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
