import type { Preflight } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { isKernelPlace } from "./kernel-places.ts";
import {
  type CheckedPath,
  checkPath,
  componentsBelow,
  formatPath,
  type PathPlatform,
} from "./path-rules.ts";

/** Says what can be said of a path without touching a file system. Pure. */
export function folderPreflight(
  path: string,
  roots: readonly Root[],
  platform: PathPlatform,
  suggest: "itself" | "parent",
): Preflight | null {
  const checked = checkPath(path, platform);
  if (!checked.ok) return { kind: "refuse", word: checked.word };
  if (innermostRoot(path, roots, platform) !== null) return null;
  const suggestion = roots.length === 0 ? suggestFolder(checked.path, platform, suggest) : null;
  return suggestion === null
    ? { kind: "refuse", word: "outside_roots" }
    : { kind: "root_wanted", suggested_path: suggestion, access: "read" };
}

/** The root that contains `path` most closely, or null. */
export function innermostRoot(
  path: string,
  roots: readonly Root[],
  platform: PathPlatform,
): Root | null {
  const distances = roots.flatMap((root) => {
    const below = componentsBelow(root.path, path, platform);
    return below === null ? [] : [{ root, distance: below.length }];
  });
  const nearest = distances.toSorted((one, other) => one.distance - other.distance)[0];
  return nearest?.root ?? null;
}

/** Null where no such folder could ever be chosen: nobody is asked in vain (contract §2.5). */
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
