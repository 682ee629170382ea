import { type Preflight, ToolFailure } from "../../../../app/execution/ports.ts";
import type { Root } from "../../../../app/grants/grant.ts";
import { folderPreflight, innermostRoot, isWithin } from "./folder-preflight.ts";
import { checkPath, type PathPlatform } from "./path-rules.ts";

/** What is known besides an agent's roots. */
export interface Ground {
  readonly platform: PathPlatform;
  /** Our own folders, which decide and record what agents may do, so that none reaches them. */
  readonly ownData: readonly string[];
}

interface KnowsOwnData {
  readonly ownData: readonly string[];
}

/** Made before the files are there to be asked. */
export const groundOf = (files: KnowsOwnData, platform: PathPlatform): Ground => ({
  platform,
  get ownData() {
    return files.ownData;
  },
});

/** True for a folder of our own; with `whole` also for a folder that would take it along. */
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

/** What a tool that only reads says before anything is touched. */
export function readPreflight(
  path: string,
  roots: readonly Root[],
  ground: Ground,
  suggest: "itself" | "parent",
): Preflight | null {
  if (isOwn(path, ground, "content")) return { kind: "refuse", word: "outside_roots" };
  return folderPreflight(path, roots, ground.platform, suggest);
}

/**
 * Where a tool reads.
 * @throws ToolFailure when the root has gone since the preflight
 */
export function readablePlace(path: string, roots: readonly Root[], platform: PathPlatform) {
  const root = innermostRoot(path, roots, platform);
  if (root === null) throw new ToolFailure("outside_roots");
  return { rootPath: root.path, path };
}
