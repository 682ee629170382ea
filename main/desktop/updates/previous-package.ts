import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { copyFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Packages that can replace themselves. What the system's package manager installed, it updates. */
export type PackageKind = "appimage" | "nsis" | "mac";

/** Starts this program once the present process has ended. */
export interface Relaunch {
  readonly program: string;
  readonly args: readonly string[];
}

const KEPT_AS = {
  appimage: ["previous.AppImage"],
  // Where electron-updater looks for it too, to fetch only what differs.
  nsis: ["consentry-updater", "installer.exe"],
} as const;

/** The package of the version that is installed, kept while a newer one proves itself. */
export interface PreviousPackage {
  keep(): Promise<void>;
  isKept(): boolean;
  /** Puts it back. Throws what the file system throws. */
  putBack(): Relaunch;
  /** If an installation was cut off and nothing is left in its place, this version is put back. */
  mend(): void;
}

/**
 * What can be put back is the program's single file on Linux, and on Windows the installer it came from, which
 * the installer leaves behind. On macOS nothing can.
 *
 * @param installed where the AppImage is, or the installer
 * @param folder one of ours
 */
export function previousPackage(
  kind: PackageKind,
  installed: string | null,
  folder: string,
): PreviousPackage | null {
  if (kind === "mac" || installed === null) return null;
  const kept = join(folder, ...KEPT_AS[kind]);
  const replace = (): void => {
    const aside = `${installed}.previous`;
    copyFileSync(kept, aside);
    renameSync(aside, installed);
  };
  return {
    async keep() {
      mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
      const aside = `${kept}.new`;
      await copyFile(installed, aside, constants.COPYFILE_FICLONE);
      await rename(aside, kept);
    },
    isKept: () => existsSync(kept),
    putBack() {
      if (kind === "nsis") return { program: kept, args: ["/S", "--force-run"] };
      replace();
      rmSync(kept);
      return { program: installed, args: process.argv.slice(1) };
    },
    mend() {
      if (kind === "appimage" && existsSync(kept) && !existsSync(installed)) replace();
    },
  };
}
