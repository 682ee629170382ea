/** The SDK's own command, wherever Node is installed: other programs start it by this. */
export const npxCommand = (
  platform: NodeJS.Platform,
): readonly [program: string, ...args: readonly string[]] =>
  platform === "win32" ? ["cmd", "/c", "npx", ...ARGUMENTS] : ["npx", ...ARGUMENTS];

const ARGUMENTS = ["--yes", "--package=@consentry/agent-sdk", "consentry"] as const;
