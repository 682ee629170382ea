import { assertNever } from "../../../app/contract/assert-never.ts";
import { insideRoot } from "../files/paths/path-rules.ts";
import { type Bubblewrap, hasOwnHome, inBubblewrap } from "./bubblewrap.ts";
import type { Fence, Wrapped } from "./fence.ts";
import type { FencePath } from "./fence-paths.ts";
import { inLandlock, type Landlock } from "./landlock.ts";
import { inSeatbelt, type Seatbelt } from "./seatbelt.ts";

/** A sandbox that was seen to work on this machine. */
export type Sandbox = Bubblewrap | Landlock | Seatbelt;

/** What to run so that the command stays inside the fence. Pure. */
export function wrap(sandbox: Sandbox, fence: Fence): Wrapped {
  switch (sandbox.kind) {
    case "bubblewrap":
      return inBubblewrap(sandbox, fence);
    case "landlock":
      return inLandlock(sandbox, fence);
    case "sandbox-exec":
      return inSeatbelt(sandbox, fence);
    default:
      return assertNever(sandbox);
  }
}

/**
 * False for Landlock if one of our folders lies inside an open one: its rules only allow, they
 * cannot exclude a part. Pure.
 */
export const canHide = (
  sandbox: Sandbox,
  ownFolders: readonly string[],
  paths: readonly Pick<FencePath, "path">[],
): boolean =>
  sandbox.kind !== "landlock" ||
  !paths.some(({ path }) => ownFolders.some((own) => insideRoot(path, own, "posix")));

/** False for Landlock if a writable folder contains one that is read-only. Pure. */
export const canNarrow = (
  sandbox: Sandbox,
  paths: readonly Pick<FencePath, "path" | "writable">[],
): boolean =>
  sandbox.kind !== "landlock" ||
  !paths.some(
    ({ path, writable }) =>
      writable && paths.some((inner) => !inner.writable && insideRoot(path, inner.path, "posix")),
  );

/** Whether the command can reach the network, given whether it asked for it. Pure. */
export const reachesNetwork = (sandbox: Sandbox | null, asked: boolean): boolean =>
  sandbox === null || sandbox.kind === "landlock" || asked;

/** The command's `HOME` and `TMPDIR`: folders that it can use. Pure. */
export function privatePlaces(
  sandbox: Sandbox | null,
  home: string,
  temporary: string,
): { readonly home: string; readonly temporary: string } {
  if (sandbox === null) return { home, temporary };
  if (sandbox.kind !== "bubblewrap") return { home: temporary, temporary };
  return { home: hasOwnHome(home) ? home : "/tmp", temporary: "/tmp" };
}
