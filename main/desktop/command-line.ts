import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { app } from "electron";
import { ownCommand } from "./own-command.ts";

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
