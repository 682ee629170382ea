import { readFileSync } from "node:fs";
import { join } from "node:path";
import { app } from "electron";
import type { AppAdapter } from "electron-updater/out/AppAdapter.js";
import type { HostParts, StartGuard } from "../../client/host-port.ts";
import { VERSION } from "../../client/launch/version.ts";
import { readFeedSource } from "./feed-source.ts";
import { ownUpdates } from "./own-updates.ts";
import { type PackageKind, previousPackage } from "./previous-package.ts";
import { startGuard } from "./start-guard.ts";

/** Where the installer leaves itself: `updaterCacheDirName` of app-update.yml, as the packager makes it. */
const INSTALLER = ["consentry-updater", "installer.exe"] as const;

/**
 * This program's own updates; nothing for one that did not come as a package with a feed.
 *
 * @param distDir the folder of the built program
 * @param dataDir the data folder
 */
export function desktopUpdates(
  distDir: URL,
  dataDir: string,
): Pick<HostParts, "updates" | "startGuard"> {
  const kind = packageKind();
  const source = readFeedSource(distDir);
  if (kind === null || source === null) return {};
  const folder = join(dataDir, "updates");
  const previous = previousPackage(kind, installedAs(), folder);
  let guard: (StartGuard & { failed(): readonly string[] }) | null = null;
  const updates = ownUpdates({
    version: VERSION,
    async open() {
      const { packageUpdater } = await import("./package-updater.ts");
      return packageUpdater(kind, source, updaterSurroundings(folder, VERSION));
    },
    keepCurrent: async () => previous?.keep(),
    failed: () => guard?.failed() ?? [],
    atEnd: (run) =>
      void app.once("quit", (_event, exitCode) => {
        if (exitCode !== 0) return;
        run();
        previous?.mend();
      }),
  });
  if (previous === null) return { updates };
  return {
    updates,
    startGuard: () => {
      guard = startGuard({
        dataDir,
        folder,
        version: VERSION,
        previous,
        relaunch: ({ program, args }) => app.relaunch({ execPath: program, args: [...args] }),
      });
      return guard;
    },
  };
}

function installedAs(): string | null {
  if (process.platform === "linux") return process.env.APPIMAGE ?? null;
  const local = process.env.LOCALAPPDATA;
  return local === undefined ? null : join(local, ...INSTALLER);
}

/** Null: this program was not installed from such a package. */
function packageKind(): PackageKind | null {
  if (!app.isPackaged) return null;
  if (process.platform === "darwin") return "mac";
  if (process.platform === "win32") return "nsis";
  return process.env.APPIMAGE !== undefined && !isManaged() ? "appimage" : null;
}

/** The packager leaves a note in what package managers install. */
function isManaged(): boolean {
  try {
    return readFileSync(join(process.resourcesPath, "package-type"), "utf8").trim() !== "AppImage";
  } catch {
    return false;
  }
}

/**
 * What electron-updater needs of Electron. It keeps its files in `folder`, one of ours: in the system's
 * folder for caches, a tool could put another package in the place of the one that was checked.
 */
const updaterSurroundings = (folder: string, version: string): AppAdapter => ({
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
