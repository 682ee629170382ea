import type { Root } from "../../../app/grants/grant.ts";
import { innermostRoot } from "../files/paths/folder-preflight.ts";
import { componentsBelow, insideRoot, type PathPlatform } from "../files/paths/path-rules.ts";

export interface FencePath {
  readonly path: string;
  readonly writable: boolean;
  /** False: left out if it does not exist at the moment. */
  readonly needed: boolean;
  /** It lies in a writable folder and is read-only: left out, it could be written to. */
  readonly guarded: boolean;
}

/**
 * The folders that a sandbox opens, outer folders before inner ones, so that each is as writable as
 * the innermost one allows. Folders between a writable root and a folder of ours, or a read-only
 * root, are included: mount points cannot be renamed (rename(2), EBUSY), so no command can move
 * ours to a place where the next command would see it, or a read-only root to one where it could
 * write to it. Pure.
 */
export function fencePaths(
  roots: readonly Root[],
  ownFolders: readonly string[],
  platform: PathPlatform,
): readonly FencePath[] {
  const own = (path: string): boolean =>
    ownFolders.some((folder) => insideRoot(folder, path, platform));
  const above = (folder: string, needed: boolean): readonly FencePath[] =>
    writableAbove(roots, folder, platform).map((path) => ({
      path,
      writable: true,
      needed,
      guarded: false,
    }));
  const readOnly = roots.filter(({ access }) => access === "read");
  const paths: FencePath[] = [
    ...readOnly.flatMap(({ path }) => above(path, false)),
    ...ownFolders.flatMap((folder) => above(folder, true)),
    // If a folder was given twice, the wider permission applies, as for the file tools.
    ...roots.toSorted(readOnlyFirst).map(({ path, access }) => {
      const writable = access === "read_write";
      const guarded = !writable && isInWritable(path, roots, platform);
      return { path, writable, needed: false, guarded };
    }),
  ];
  const byPath = new Map(paths.filter(({ path }) => !own(path)).map((each) => [each.path, each]));
  return [...byPath.values()].toSorted(
    (one, other) => depth(one, platform) - depth(other, platform),
  );
}

/** Folders inside a writable root that contain `folder`. */
function writableAbove(
  roots: readonly Root[],
  folder: string,
  platform: PathPlatform,
): readonly string[] {
  const between = roots.flatMap(({ path }) => {
    const below = componentsBelow(path, folder, platform) ?? [];
    return below.slice(0, -1).map((_, index) => [path, ...below.slice(0, index + 1)].join("/"));
  });
  return between.filter((path) => innermostRoot(path, roots, platform)?.access === "read_write");
}

const isInWritable = (path: string, roots: readonly Root[], platform: PathPlatform): boolean =>
  roots.some((root) => root.access === "read_write" && insideRoot(root.path, path, platform));

const readOnlyFirst = (one: Root, other: Root): number =>
  Number(one.access === "read_write") - Number(other.access === "read_write");

const depth = ({ path }: FencePath, platform: PathPlatform): number =>
  path.split(platform === "win32" ? "\\" : "/").length;
