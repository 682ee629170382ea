import { existsSync, lstatSync } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";

/**
 * macOS and Windows. Asks the system to move a path to the trash. WEAKER than on Linux: the path is
 * checked again just before, and the system resolves it once more.
 * @throws ToolFailure `trash_unavailable`
 */
export async function trashBySystem(path: string): Promise<void> {
  if (!hasTrash(path)) throw new ToolFailure("trash_unavailable");
  try {
    // Imported here, because other systems do not need it.
    const { default: trash } = await import("trash");
    await trash([path], { glob: false });
  } catch {
    throw new ToolFailure("trash_unavailable");
  }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw new ToolFailure("trash_unavailable");
  }
}

/** Windows deletes permanently on volumes without a recycle bin (network drives, USB sticks). */
function hasTrash(path: string): boolean {
  if (process.platform === "win32") return existsSync(`${path.slice(0, 2)}\\$Recycle.Bin`);
  return process.platform === "darwin";
}
