import { join } from "node:path";
import { app } from "electron";
import type { AppAdapter } from "electron-updater/out/AppAdapter.js";

/**
 * What electron-updater needs of Electron. It keeps its files in `folder`, one of ours: in the system's
 * folder for caches, a tool could put another package in the place of the one that was checked.
 */
export const updaterSurroundings = (folder: string, version: string): AppAdapter => ({
  version,
  name: "consentry",
  isPackaged: true,
  appUpdateConfigPath: join(process.resourcesPath, "app-update.yml"),
  userDataPath: folder,
  baseCachePath: folder,
  whenReady: async () => void (await app.whenReady()),
  relaunch: () => app.relaunch(),
  quit: () => app.quit(),
  onQuit: (handler) => void app.once("quit", (_event, exitCode) => handler(exitCode)),
});
