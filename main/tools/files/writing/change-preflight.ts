import { type Preflight, toolFailure } from "../../../../app/execution/ports.ts";
import type { Root } from "../../../../app/grants/grant.ts";
import {
  folderOf,
  folderPreflight,
  type Ground,
  holdsRoot,
  innermostRoot,
  isFolder,
  isOwn,
  writableRoot,
} from "../paths/folder-preflight.ts";
import { checkPath, componentsBelow, formatPath, type PathPlatform } from "../paths/path-rules.ts";

/**
 * What can be said before a tool changes anything. `content`: the file at the path is written or
 * created; `whole`: it is moved or deleted with everything in it, so it must not contain a root.
 */
export function changePreflight(
  path: string,
  roots: readonly Root[],
  ground: Ground,
  what: "content" | "whole",
): Preflight | null {
  const { platform } = ground;
  if (isOwn(path, ground, what)) return { kind: "refuse", word: "outside_roots" };
  if (what === "whole" && checkPath(path, platform).ok && holdsRoot(path, roots, platform)) {
    return {
      kind: "refuse",
      word: insideSome(path, roots, platform) ? "is_a_root" : "outside_roots",
    };
  }
  return folderPreflight(path, roots, platform, "parent", "read_write");
}

const insideSome = (path: string, roots: readonly Root[], platform: PathPlatform): boolean =>
  innermostRoot(path, roots, platform) !== null;

/** Both ends of a move. The person can be asked for one folder only, so it must cover both. */
export function movePreflight(
  from: string,
  to: string,
  roots: readonly Root[],
  ground: Ground,
): Preflight | null {
  const { platform } = ground;
  const ends = [from, to].map((path) => changePreflight(path, roots, ground, "whole"));
  const refused = ends.find((end) => end?.kind === "refuse");
  if (refused !== undefined && refused !== null) return refused;
  // A folder into itself, or onto itself.
  if (componentsBelow(from, to, platform) !== null) return { kind: "refuse", word: "invalid_path" };
  const wanted = ends.filter((end) => end?.kind === "root_wanted");
  const [first = null, second] = wanted;
  if (second === undefined) return first;
  return roots.some(isFolder) ? sameOrNone(first, second) : aboveBoth(from, to, ground);
}

/** One read-only folder can be made writable, but not two at once. */
function sameOrNone(first: Preflight | null, second: Preflight | null): Preflight | null {
  const same =
    first?.kind === "root_wanted" &&
    second?.kind === "root_wanted" &&
    first.suggested_path === second.suggested_path;
  return same ? first : { kind: "refuse", word: "outside_roots" };
}

/** The innermost folder that contains both ends. */
function aboveBoth(from: string, to: string, ground: Ground): Preflight | null {
  const { platform } = ground;
  const one = checkPath(from, platform);
  const other = checkPath(to, platform);
  if (!one.ok || !other.ok) return { kind: "refuse", word: "invalid_path" };
  const { components, volume } = one.path;
  const apart = components.findIndex((name, index) => other.path.components[index] !== name);
  const shared = components.slice(0, apart === -1 ? -1 : apart);
  if (shared.length === 0 || volume !== other.path.volume) {
    return { kind: "refuse", word: "outside_roots" };
  }
  // Asked for as the parent of some entry, so that the same rules decide whether it can be a root.
  const inIt = formatPath({ volume, components: [...shared, "x"] }, platform);
  return changePreflight(inIt, [], ground, "content");
}

/**
 * Where a change takes place.
 * @throws ToolFailure if the root was removed after the preflight, or is read-only
 */
export function placeOf(path: string, roots: readonly Root[], ground: Ground) {
  const root = writableRoot(path, roots, ground.platform);
  if (root === null || isOwn(path, ground, "content")) throw toolFailure("outside_roots");
  return { rootPath: folderOf(root), path };
}

/** Like `placeOf`, for something moved or deleted with everything in it. */
export function wholePlaceOf(path: string, roots: readonly Root[], ground: Ground) {
  if (isOwn(path, ground, "whole")) throw toolFailure("outside_roots");
  if (holdsRoot(path, roots, ground.platform)) throw toolFailure("is_a_root");
  return placeOf(path, roots, ground);
}
