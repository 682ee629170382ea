import { readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { sha256Hex } from "../../../app/contract/digest.ts";
import { makeOwnFolder, ownFileError } from "../../../runtime/files/own-file.ts";

/**
 * The data folder: what the person asked for, else the platform's convention (XDG data home,
 * `~/Library/Application Support`, `%LOCALAPPDATA%`).
 * @throws TypeError if they asked for none, as with an unset variable: `resolve` would take it for the
 * current folder
 */
export function dataFolder(asked: string | null): string {
  if (asked === "") throw new TypeError("--data-dir takes the path of a folder");
  return asked === null ? envPaths("Consentry", { suffix: "" }).data : resolve(asked);
}

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
  const name = sha256Hex(realPathOf(dataDir));
  return join(folder, `${name.slice(0, NAME_DIGITS)}.json`);
}

function realPathOf(dataDir: string): string {
  try {
    return realpathSync(dataDir);
  } catch {
    return resolve(dataDir);
  }
}

/**
 * Names of what the program puts into its data folder: its folders, and its files with what SQLite keeps
 * beside, what was set aside, and those that were being replaced.
 */
const OURS =
  /^(?:(?:programs|updates|electron)$|(?:(?:consentry|hub)\.db|host\.key|identity\.key|connected-apps\.json|instance\.lock|(?:hub|hooks|mcp)\.url|owner\.token|[\w-]+\.sock|former-log)(?:$|[.-]))/;

/**
 * Deletes what the program stored, when nothing of it runs any more. The person may have named a folder
 * that holds other things too: those stay. Throws nothing: what cannot be deleted is returned.
 *
 * @param anchors the folder of anchors outside the data folder; null: there is none
 */
export function eraseData(dataDir: string, anchors: string | null): readonly string[] {
  const left: string[] = [];
  const erase = (path: string): void => {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      left.push(path);
    }
  };
  if (anchors !== null) erase(anchorFile(anchors, dataDir));
  for (const name of readdirSync(dataDir)) if (OURS.test(name)) erase(join(dataDir, name));
  try {
    rmdirSync(dataDir);
  } catch {
    // Something else is in it.
  }
  return left;
}
