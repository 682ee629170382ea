import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { contractFor } from "../../../app/contract/agent-catalogue.ts";
import { folderAbove } from "../../../app/contract/folder-path.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { ChangedPlace } from "../../tools/files/file-tool.ts";
import type { AskedCall } from "./read-tool.ts";

/** As Linux follows them at most. */
const LINKS_MOST = 40;

/**
 * Where a path leads, also through a link whose end is not there yet.
 * @throws what the file system does
 */
export async function realPlace(path: string, links = 0): Promise<string> {
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

/** Where an agent's own tool changes files, every link resolved. Empty: nowhere, or that cannot be told. */
export async function changedPlaces({
  tool,
  arguments: args,
}: AskedCall): Promise<readonly ChangedPlace[]> {
  if (contractFor(tool, "agent:edit")?.scope !== "agent:edit") return [];
  const { path, paths, from, to } = args;
  try {
    const [source] = await placesAt([from]);
    const [end] = await placesAt([to]);
    if (source !== undefined && end !== undefined) return [end, { ...source, moved_to: end }];
    return await placesAt([path, ...(Array.isArray(paths) ? paths : [])]);
  } catch {
    return [];
  }
}

/** @throws what the file system does */
async function placesAt(named: readonly (JsonValue | undefined)[]): Promise<ChangedPlace[]> {
  const paths = named.filter((path) => typeof path === "string");
  const real = await Promise.all(paths.map((path) => realPlace(path)));
  return real.flatMap((path) => {
    const rootPath = folderAbove(path);
    return rootPath === null ? [] : { rootPath, path };
  });
}
