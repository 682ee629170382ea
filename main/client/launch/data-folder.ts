import { resolve } from "node:path";
import envPaths from "env-paths";

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
