import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { STEP, underFd } from "../opening/open-by-walk.ts";

/**
 * Linux. The mount through which a descriptor's object was reached. Names can be moved only within
 * a mount, which is narrower than a device (a folder mounted a second time is on the same device).
 * Returns the device if the kernel does not tell the mount.
 */
export function mountOf(fd: number): string {
  const info = readFileSync(`/proc/self/fdinfo/${fd}`, "utf8");
  return /^mnt_id:\s*(\d+)$/mu.exec(info)?.[1] ?? `dev:${fstatSync(fd).dev}`;
}

/**
 * Calls `use` with the top folder of the mount that contains `folder`, and the number of levels
 * between the two. Climbs by descriptors, so that no name is resolved twice.
 */
export function withMountTop<T>(folder: string, use: (handle: number, stepsUp: number) => T): T {
  let handle = openSync(folder, constants.O_DIRECTORY | (STEP ^ constants.O_NOFOLLOW));
  try {
    for (let steps = 0; ; steps += 1) {
      const above = openSync(underFd(handle, ".."), constants.O_DIRECTORY | STEP);
      let reached = true;
      try {
        reached = isTop(handle, above);
        if (reached) return use(handle, steps);
      } finally {
        if (reached) closeSync(above);
      }
      closeSync(handle);
      handle = above;
    }
  } finally {
    closeSync(handle);
  }
}

/** `..` of the root folder is the root folder itself. */
function isTop(handle: number, above: number): boolean {
  if (mountOf(handle) !== mountOf(above)) return true;
  const here = fstatSync(handle, { bigint: true });
  const there = fstatSync(above, { bigint: true });
  return here.dev === there.dev && here.ino === there.ino;
}
