import type { PathPlatform } from "../../paths/path-rules.ts";
import { CHARACTERS } from "./characters.ts";
import { DOTS_AND_SEPARATORS } from "./dots-and-separators.ts";
import { ENCODINGS } from "./encodings.ts";
import type { HostileGroup } from "./hostile-group.ts";
import { PLACES } from "./places.ts";
import { WINDOWS_FORMS } from "./windows-forms.ts";

/** What agents may send as a path, and what must happen on each system. */
export const HOSTILE_GROUPS: readonly HostileGroup[] = [
  ...DOTS_AND_SEPARATORS,
  ...ENCODINGS,
  ...WINDOWS_FORMS,
  ...PLACES,
  ...CHARACTERS,
];

/** The agent's folder, as a string. */
export const HOSTILE_BASE: Readonly<Record<PathPlatform, string>> = {
  posix: "/home/ada",
  darwin: "/home/ada",
  win32: "C:\\home\\ada",
};

/** The path of a form, for an agent's folder named `root` in `base`. */
export function hostilePath(form: string, base: string, platform: PathPlatform): string {
  const separator = platform === "win32" ? "\\" : "/";
  return form.replaceAll("<root>", `${base}${separator}root`).replaceAll("<base>", base);
}
