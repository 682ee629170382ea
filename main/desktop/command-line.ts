import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { app } from "electron";
import type { AppPart } from "../../app/bridge/connected-apps.ts";
import type { LoginStart } from "../client/host-port.ts";
import { npxCommand } from "../connected-apps/npx-command.ts";
import { autostartFile, autostartFolder } from "./autostart-file.ts";

const WORDS = ["mcp", "hook"] as const;
export type CommandWord = (typeof WORDS)[number];

/** What other programs start this one for, instead of starting the program itself. */
export const commandWord = (argv: readonly string[]): CommandWord | undefined =>
  WORDS.find((word) => word === argv[0]);

/**
 * Serves another program over standard input and output: in this process, without a window, beside the
 * program that may run. Electron is no Node here, so nothing else could.
 * @returns the exit code
 */
export async function runCommand(word: CommandWord, argv: readonly string[]): Promise<number> {
  // A Chromium profile must not be shared with the program.
  const profile = mkdtempSync(join(tmpdir(), "consentry-command-"));
  app.setPath("userData", profile);
  app.disableHardwareAcceleration();
  app.dock?.hide();
  try {
    if (word === "mcp") {
      const { runMcp } = await import("../channels/mcp/run-mcp.ts");
      return await runMcp(argv, startProgram);
    }
    const { runHook } = await import("../channels/hooks/run-hook.ts");
    return await runHook(argv, "consentry hook");
  } finally {
    // Chromium may still write there. What is left behind must not replace the answer of a hook.
    await rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

function startProgram(flags: readonly string[]) {
  const [program, ...entry] = ownCommand();
  return spawn(program, [...entry, ...flags], { detached: true, stdio: "ignore" });
}

/**
 * What starts this program again. An AppImage is mounted elsewhere at each start; the path of its own file
 * stays the same.
 */
export function ownCommand(): readonly [program: string, ...args: readonly string[]] {
  const [, entry = ""] = process.argv;
  return app.isPackaged
    ? [process.env.APPIMAGE ?? process.execPath]
    : [process.execPath, resolve(entry)];
}

/**
 * What other programs start the installed program with. On Windows Electron has no standard input, so
 * there it is the SDK's own command, for which they need Node.
 */
export const commandForOthers = (dataDir: string, part: AppPart): ReturnType<typeof ownCommand> =>
  process.platform === "win32" ? npxCommand(process.platform, dataDir, part) : ownCommand();

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
