import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { AppPlaces } from "./app-edit.ts";
import type { KnownApp } from "./known-apps.ts";

/** Whether something on this computer shows that the app is installed for this person. */
export const isFound = ({ signs, program }: KnownApp, places: AppPlaces): boolean =>
  signs(places).some((path) => existsSync(path)) ||
  (program !== undefined && isOnPath(program, places));

function isOnPath(program: string, { platform, env }: AppPlaces): boolean {
  const ends = platform === "win32" ? [".exe", ".cmd"] : [""];
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .some((folder) => ends.some((end) => existsSync(join(folder, program + end))));
}
