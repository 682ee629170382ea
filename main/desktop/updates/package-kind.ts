import { readFileSync } from "node:fs";
import { join } from "node:path";
import { app } from "electron";

/** Packages that can replace themselves. What the system's package manager installed, it updates. */
export type PackageKind = "appimage" | "nsis" | "mac";

/** Null: this program was not installed from such a package. */
export function packageKind(): PackageKind | null {
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
