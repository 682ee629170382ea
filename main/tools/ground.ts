import type { Preflight } from "../../app/execution/ports.ts";
import type { Root } from "../../app/grants/grant.ts";
import { folderPreflight, isWithin } from "./folder-preflight.ts";
import { checkPath, type PathPlatform } from "./path-rules.ts";

/** What is known besides an agent's roots. */
export interface Ground {
  readonly platform: PathPlatform;
  /** Our own data, which decides and records what agents may do, so that none reaches it; null: none. */
  readonly ownData: string | null;
}

interface KnowsOwnData {
  readonly ownData: string | null;
}

/** Made before the files are there to be asked. */
export const groundOf = (files: KnowsOwnData, platform: PathPlatform): Ground => ({
  platform,
  get ownData() {
    return files.ownData;
  },
});

/** True for our own data; with `whole` also for a folder that would take it along. */
export function isOwn(
  path: string,
  { platform, ownData }: Ground,
  what: "content" | "whole",
): boolean {
  if (ownData === null || !checkPath(path, platform).ok) return false;
  const along = what === "whole" && isWithin(path, ownData, platform);
  return along || isWithin(ownData, path, platform);
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
