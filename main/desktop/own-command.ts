import { resolve } from "node:path";
import { app } from "electron";
import type { AppPart } from "../../app/bridge/connected-apps.ts";
import { npxCommand } from "../connected-apps/npx-command.ts";

/**
 * What starts this program again. An AppImage is mounted elsewhere at each start; the path of its own file
 * stays the same.
 */
export function ownCommand(): readonly [program: string, ...args: readonly string[]] {
  const [, entry = ""] = process.argv;
  return app.isPackaged
    ? [process.env.APPIMAGE ?? process.execPath]
    : [process.execPath, resolve(entry)];
}

/**
 * What other programs start the installed program with. On Windows Electron has no standard input, so
 * there it is the SDK's own command, for which they need Node.
 */
export const commandForOthers = (dataDir: string, part: AppPart): ReturnType<typeof ownCommand> =>
  process.platform === "win32" ? npxCommand(process.platform, dataDir, part) : ownCommand();
