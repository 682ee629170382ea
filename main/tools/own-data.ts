import { realpathSync, statSync } from "node:fs";
import { ToolFailure } from "../../app/execution/ports.ts";
import { isWithin } from "./folder-preflight.ts";
import type { PathPlatform } from "./path-rules.ts";

interface Identity {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
}

/** Our own data folder: where it was when the program began, and which folder that is. */
export interface OwnData {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
}

/** Throws what the file system throws: the folder is there before any tool is. */
export function ownDataAt(folder: string): OwnData {
  const path = realpathSync.native(folder);
  const { dev, ino } = statSync(path);
  return { path, dev, ino };
}

let own: OwnData | null = null;

/**
 * For this whole thread: our own data folder is no tool's to open, by whatever name it is reached.
 * A root may contain it, a folder above it be renamed, or it be mounted a second time.
 */
export function keepOutOf(data: OwnData | null): void {
  own = data;
}

/** @throws ToolFailure `outside_roots` for a path that says it is in our own data folder */
export function refuseOwnPath(path: string, platform: PathPlatform): void {
  if (own !== null && isWithin(own.path, path, platform)) throw new ToolFailure("outside_roots");
}

/** @throws ToolFailure `outside_roots` when `opened` gives our own data folder */
export function refuseOwnData(opened: () => Identity): void {
  if (own === null) return;
  const { dev, ino } = opened();
  if (Number(dev) === own.dev && Number(ino) === own.ino) throw new ToolFailure("outside_roots");
}
