import { existsSync, lstatSync } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";

/**
 * macOS and Windows. Asks the system to take a path. WEAKER than Linux's way: what is named is a
 * path, looked at again just before, and the system looks it up once more.
 * @throws ToolFailure `trash_unavailable`
 */
export async function trashBySystem(path: string): Promise<void> {
  if (!hasTrash(path)) throw new ToolFailure("trash_unavailable");
  try {
    // Only here: elsewhere nothing of it is loaded.
    const { default: trash } = await import("trash");
    await trash([path], { glob: false });
  } catch {
    throw new ToolFailure("trash_unavailable");
  }
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
    throw new ToolFailure("trash_unavailable");
  }
}

/** Windows deletes for good what lies on a volume without a bin (a network drive, a stick). */
function hasTrash(path: string): boolean {
  if (process.platform === "win32") return existsSync(`${path.slice(0, 2)}\\$Recycle.Bin`);
  return process.platform === "darwin";
}
