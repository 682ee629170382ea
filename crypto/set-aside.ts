import { existsSync, renameSync } from "node:fs";
import { DATABASE_COMPANIONS } from "./own-file.ts";

/**
 * Renames a damaged database and its companions, and says what it is called now.
 * @param now milliseconds since the epoch; the name carries it as UTC
 */
export function setAsideDatabase(path: string, now: number): string {
  const target = asideName(path, "damaged", now);
  // The database last: SQLite deletes a write-ahead log that it finds beside no database, or an
  // empty one, and whoever is interrupted between two of these names starts with that.
  for (const companion of DATABASE_COMPANIONS) {
    if (existsSync(path + companion)) renameSync(path + companion, target + companion);
  }
  if (existsSync(path)) renameSync(path, target);
  return target;
}

/** The name of what is set aside now. */
export const asideName = (path: string, why: string, now: number): string =>
  freeName(`${path}.${why}-${stamp(now)}`);

/** `20260131T235959Z`: without colons, which Windows does not allow in names. */
const stamp = (now: number): string =>
  new Date(now).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");

/** A second damaged file within one second must not replace the first. */
function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count += 1) name = `${wanted}-${count}`;
  return name;
}

const isTaken = (name: string): boolean =>
  ["", ...DATABASE_COMPANIONS].some((companion) => existsSync(name + companion));
