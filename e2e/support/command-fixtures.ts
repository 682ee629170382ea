import { join } from "node:path";
import { Command } from "./command.ts";
import { test as base } from "./fixtures.ts";
import { dropDataDir, newDataDir } from "./program.ts";

/** Starts the program by its command, on a folder of the test's own, and ends what is left. */
export class Commands {
  readonly folder = newDataDir();
  readonly dataDir = join(this.folder, "data");
  readonly #started: Command[] = [];

  /** Without a display and without Electron, wherever the test runs. */
  readonly bare = {
    DISPLAY: undefined,
    WAYLAND_DISPLAY: undefined,
    ELECTRON_OVERRIDE_DIST_PATH: join(this.folder, "no-electron"),
    XDG_CONFIG_HOME: join(this.folder, "config"),
  };

  /** With flags of the person's; nothing is opened, and the hub takes any port. */
  start(flags: readonly string[] = [], env: Record<string, string | undefined> = {}): Command {
    return this.run(
      ["--host", "browser", "--data-dir", this.dataDir, "--hub-port", "0", "--no-open", ...flags],
      env,
    );
  }

  run(flags: readonly string[], env: Record<string, string | undefined> = {}): Command {
    const command = new Command(flags, { ...this.bare, ...env });
    this.#started.push(command);
    return command;
  }

  async end(): Promise<void> {
    await Promise.all(this.#started.map((command) => command.end()));
    dropDataDir(this.folder);
  }
}

export const test = base.extend<{ commands: Commands }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names in it.
  commands: async ({}, use) => {
    const commands = new Commands();
    await use(commands);
    await commands.end();
  },
});
