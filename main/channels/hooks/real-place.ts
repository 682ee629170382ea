import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

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
