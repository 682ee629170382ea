import { homedir } from "node:os";
import { resolve } from "node:path";
import { app } from "electron";
import type { LoginStart } from "../client/host-port.ts";
import { autostartFile, autostartFolder } from "./autostart-file.ts";
import { ownCommand } from "./own-command.ts";

/**
 * What starts this program at login; null if the system has no such thing. macOS takes no
 * arguments, so it works there only for a packaged program.
 *
 * @param dataDir the folder given by the person at start; null: the default one
 */
export function loginStart(dataDir: string | null): LoginStart | null {
  const [program = "", ...args] = command(dataDir);
  if (process.platform === "linux") {
    return autostartFile(autostartFolder(process.env, homedir()), [program, ...args]);
  }
  if (process.platform === "darwin" && !app.isPackaged) return null;
  const item = process.platform === "win32" ? { path: program, args: quoted(args) } : {};
  return {
    isOn: () => app.getLoginItemSettings(item).openAtLogin,
    async set(on) {
      app.setLoginItemSettings({ ...item, openAtLogin: on });
    },
  };
}

function command(dataDir: string | null): readonly string[] {
  return [...ownCommand(), ...(dataDir === null ? [] : ["--data-dir", resolve(dataDir)])];
}

/** Windows stores the arguments as one line. */
const quoted = (args: readonly string[]): string[] => args.map((each) => `"${each}"`);
