import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import type { Tool } from "../../../app/execution/ports.ts";

const PATHS: ReadonlySet<string> = new Set(["path", "from", "to", "directory", "paths"]);

/** The same call with every link of its paths resolved, as things are now. Null: that cannot be told. */
export const placedNow: NonNullable<Tool["placed"]> = async (args, project) => {
  try {
    const entries = Object.entries(args).map(async ([name, value]) => [
      name,
      PATHS.has(name) ? await valuePlaced(value) : value,
    ]);
    const placed: JsonObject = Object.fromEntries(await Promise.all(entries));
    return { args: placed, project: await Promise.all(project.map((folder) => realPlace(folder))) };
  } catch {
    return null;
  }
};

const valuePlaced = async (value: JsonValue): Promise<JsonValue> => {
  if (typeof value === "string") return realPlace(value);
  return Array.isArray(value) ? Promise.all(value.map(valuePlaced)) : value;
};

/** As Linux follows them at most. */
const LINKS_MOST = 40;

/**
 * Where a path leads, also through a link whose end is not there yet.
 * @throws what the file system does
 */
async function realPlace(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const above = dirname(path);
    if (!isMissing(error) || above === path || links > LINKS_MOST) throw error;
    const isLink = await lstat(path).then(
      (stat) => stat.isSymbolicLink(),
      () => false,
    );
    const folder = await realPlace(above, links);
    if (!isLink) return join(folder, basename(path));
    return realPlace(resolve(folder, await readlink(path)), links + 1);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";
