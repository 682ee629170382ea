/**
 * The SDK's own command, wherever Node is installed: other programs start it by this.
 * @param folder whose packages and settings of npm count. Without it those of the project would in which
 *   an agent works, and a project could put a program of its own in the place of ours.
 */
export const npxCommand = (
  platform: NodeJS.Platform,
  folder: string,
): readonly [program: string, ...args: readonly string[]] => {
  const args = [
    "--prefix",
    folder,
    "--yes",
    "--package=@consentry/agent-sdk",
    "consentry",
  ] as const;
  return platform === "win32" ? ["cmd", "/c", "npx", ...args] : ["npx", ...args];
};
