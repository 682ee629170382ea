import { existsSync, renameSync } from "node:fs";
import { DATABASE_COMPANIONS } from "./own-file.ts";

/**
 * Renames a damaged database and its companion files, and returns the new name.
 * @param now milliseconds since the epoch; part of the name, in UTC
 */
export function setAsideDatabase(path: string, now: number): string {
  const target = asideName(path, "damaged", now);
  // The database last: SQLite deletes a write-ahead log that it finds without a database, or beside
  // an empty one, which is what the next start would meet if this were interrupted.
  for (const companion of DATABASE_COMPANIONS) {
    if (existsSync(path + companion)) renameSync(path + companion, target + companion);
  }
  if (existsSync(path)) renameSync(path, target);
  return target;
}

/** The name for a file that is set aside. */
export const asideName = (path: string, why: string, now: number): string =>
  freeName(`${path}.${why}-${stamp(now)}`);

/** `20260131T235959Z`, without colons, which Windows does not allow in names. */
const stamp = (now: number): string =>
  new Date(now).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");

/** Two damaged files within a second must not replace each other. */
function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count += 1) name = `${wanted}-${count}`;
  return name;
}

const isTaken = (name: string): boolean =>
  ["", ...DATABASE_COMPANIONS].some((companion) => existsSync(name + companion));
