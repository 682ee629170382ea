import { folderAbove } from "../../../../app/contract/folder-path.ts";
import { type Preflight, toolFailure } from "../../../../app/execution/ports.ts";
import type { Root } from "../../../../app/grants/grant.ts";
import {
  type CheckedPath,
  checkPath,
  componentsBelow,
  formatPath,
  insideRoot,
  isKernelPlace,
  type PathPlatform,
} from "./path-rules.ts";

/** Checks a path without touching a file system. Pure. */
export function folderPreflight(
  path: string,
  roots: readonly Root[],
  platform: PathPlatform,
  suggest: "itself" | "parent",
  access: Root["access"] = "read",
): Preflight | null {
  const checked = checkPath(path, platform);
  if (!checked.ok) return { kind: "refuse", word: checked.word };
  if (innermostRoot(path, roots, platform) !== null) {
    const only = access === "read" ? null : onlyToRead(path, roots, platform);
    const wanted = only?.only_file === true ? (folderAbove(only.path) ?? only.path) : only?.path;
    return wanted === undefined ? null : { kind: "root_wanted", suggested_path: wanted, access };
  }
  const hasFolder = roots.some(isFolder);
  const suggestion = hasFolder ? null : suggestFolder(checked.path, platform, suggest);
  return suggestion === null
    ? { kind: "refuse", word: "outside_roots" }
    : { kind: "root_wanted", suggested_path: suggestion, access };
}

/**
 * The root that decides about `path`, or null: the innermost folder, or the file given alone where
 * that gives more. A file never restricts what its folder gives.
 */
export function innermostRoot(
  path: string,
  roots: readonly Root[],
  platform: PathPlatform,
): Root | null {
  const folder = innermostFolder(path, roots.filter(isFolder), platform);
  const file = roots
    .filter((root) => !isFolder(root) && componentsBelow(root.path, path, platform)?.length === 0)
    .toSorted(writableFirst)[0];
  const addsToFolder = folder?.access !== "read_write" && file?.access === "read_write";
  return file !== undefined && (folder === null || addsToFolder) ? file : folder;
}

/** Whether all in it is given. */
export const isFolder = ({ only_file }: Pick<Root, "only_file">): boolean => only_file !== true;

/** The folder from which tools reach what a root gives. */
export const folderOf = (root: Root): string =>
  isFolder(root) ? root.path : (folderAbove(root.path) ?? root.path);

function innermostFolder(
  path: string,
  roots: readonly Root[],
  platform: PathPlatform,
): Root | null {
  const distances = roots.flatMap((root) => {
    const below = componentsBelow(root.path, path, platform);
    return below === null ? [] : [{ root, distance: below.length }];
  });
  const nearest = distances.toSorted(
    (one, other) => one.distance - other.distance || writableFirst(one.root, other.root),
  )[0];
  return nearest?.root ?? null;
}

/** The root in which `path` may be changed; null if there is none. */
export function writableRoot(
  path: string,
  roots: readonly Root[],
  platform: PathPlatform,
): Root | null {
  return onlyToRead(path, roots, platform) === null ? innermostRoot(path, roots, platform) : null;
}

/** Whether `path` is a given folder or contains one, and therefore must stay where it is. */
export const holdsRoot = (path: string, roots: readonly Root[], platform: PathPlatform): boolean =>
  roots.some((root) => isFolder(root) && isWithin(path, root.path, platform));

/** Whether `inner` is `outer` or lies inside it, also if only the spelling differs. */
export const isWithin = (outer: string, inner: string, platform: PathPlatform): boolean =>
  insideRoot(folded(outer, platform), folded(inner, platform), platform);

/**
 * The innermost root around `path`, if it is read-only. It may lie inside a writable one, and
 * restricts that.
 */
function onlyToRead(path: string, roots: readonly Root[], platform: PathPlatform): Root | null {
  const alike = roots.map((root) => ({ ...root, path: folded(root.path, platform) }));
  const innermost = innermostRoot(folded(path, platform), alike, platform);
  if (innermost?.access !== "read") return null;
  return roots.find(({ root_id }) => root_id === innermost.root_id) ?? null;
}

/**
 * The file systems of macOS and Windows treat some spellings as the same name. Used only to refuse,
 * where being too strict is safe.
 */
const folded = (path: string, platform: PathPlatform): string =>
  platform === "posix" ? path : path.normalize("NFC").toLowerCase();

const writableFirst = (one: Root, other: Root): number =>
  Number(other.access === "read_write") - Number(one.access === "read_write");

/** Null if no such folder could ever be chosen: the person is not asked in vain (contract §2.5). */
function suggestFolder(
  path: CheckedPath,
  platform: PathPlatform,
  suggest: "itself" | "parent",
): string | null {
  const components = suggest === "itself" ? path.components : path.components.slice(0, -1);
  if (components.length === 0) return null;
  const folder = formatPath({ ...path, components }, platform);
  return isKernelPlace(folder, platform) ? null : folder;
}

/** What is known besides an agent's roots. */
export interface Ground {
  readonly platform: PathPlatform;
  /** Our own folders, which decide and record what agents may do; no agent reaches them. */
  readonly ownData: readonly string[];
  /** The person's own trash, whether or not it exists. */
  readonly homeTrash: string;
}

/** Whether this is in a folder of our own; with `whole`, also whether it contains one. */
export function isOwn(
  path: string,
  { platform, ownData }: Ground,
  what: "content" | "whole",
): boolean {
  if (!checkPath(path, platform).ok) return false;
  return ownData.some((own) => {
    const along = what === "whole" && isWithin(path, own, platform);
    return along || isWithin(own, path, platform);
  });
}

/** What can be said before a tool that only reads touches anything. */
export function readPreflight(
  path: string,
  roots: readonly Root[],
  ground: Ground,
  suggest: "itself" | "parent",
): Preflight | null {
  if (isOwn(path, ground, "content")) return { kind: "refuse", word: "outside_roots" };
  return folderPreflight(path, roots, ground.platform, suggest);
}

/** A path, and the root in which it was found. */
export interface Place {
  readonly rootPath: string;
  readonly path: string;
}

/**
 * Where a tool reads.
 * @throws ToolFailure if the root was removed after the preflight
 */
export function readablePlace(path: string, roots: readonly Root[], platform: PathPlatform) {
  const root = innermostRoot(path, roots, platform);
  if (root === null) throw toolFailure("outside_roots");
  return { rootPath: folderOf(root), path };
}
