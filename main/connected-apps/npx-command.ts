import type { AppPart } from "../../app/bridge/connected-apps.ts";

/**
 * The SDK's own command, wherever Node is installed: other programs start it by this.
 * On Windows it is a batch file, which programs without a shell cannot start; hooks have one.
 * @param folder whose packages and settings of npm count. Without it those of the project would in which
 *   an agent works, and a project could put a program of its own in the place of ours.
 */
export const npxCommand = (
  platform: NodeJS.Platform,
  folder: string,
  part: AppPart,
): readonly [program: string, ...args: readonly string[]] => {
  const args = [
    "--prefix",
    folder,
    "--yes",
    "--package=@consentry/agent-sdk",
    "consentry",
  ] as const;
  if (platform !== "win32") return ["npx", ...args];
  return part === "hook" ? ["npx.cmd", ...args] : ["cmd", "/c", "npx", ...args];
};
