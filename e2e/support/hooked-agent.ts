import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import type { Stage } from "./stage.ts";

const HOOK = fileURLToPath(new URL("../../scripts/hook.mjs", import.meta.url));

/** Claude Code as its hook's program sees it: each question starts that program, with what the real one sends. */
export class HookedAgent {
  readonly #stage: Stage;
  readonly folder: string;
  readonly #home: string;

  /** @param home where its settings are: the person's home folder */
  constructor(stage: Stage, folder: string, home = stage.home) {
    this.#stage = stage;
    this.#home = home;
    this.folder = folder;
  }

  /** Its own permission question. @returns its decision; null: its dialog is to answer */
  async asks(tool_name: string, tool_input: object, more: object = {}): Promise<unknown> {
    const { stdout } = await this.hook({
      hook_event_name: "PermissionRequest",
      tool_name,
      tool_input,
      ...more,
    });
    return stdout === "" ? null : JSON.parse(stdout).hookSpecificOutput.decision;
  }

  hook(input: object): Promise<{ readonly status: number | null; readonly stdout: string }> {
    const child = spawn(
      process.execPath,
      [HOOK, "claude-code", "--data-dir", this.#stage.dataDir],
      {
        cwd: this.folder,
        env: { PATH: process.env.PATH ?? "", HOME: this.#home },
        stdio: "pipe",
      },
    );
    child.stdin.end(JSON.stringify({ session_id: "s-1", cwd: this.folder, ...input }));
    let stdout = "";
    child.stdout.on("data", (part: Buffer) => {
      stdout += part.toString();
    });
    return new Promise((resolve) => child.once("close", (status) => resolve({ status, stdout })));
  }

  /** The person connects it, to be asked instead of its own dialog. */
  async connect(): Promise<void> {
    const first = this.hook({ hook_event_name: "PreToolUse", tool_name: "Task", tool_input: {} });
    const card = this.#stage.program.main.getByTestId("pairing-card");
    await card.getByTestId("pairing-accept").click();
    await expect(card).toHaveCount(0);
    await first;
  }
}
