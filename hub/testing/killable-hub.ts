import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./hub-process.ts", import.meta.url));

export interface HubSaid {
  readonly url: string;
  readonly userId: string;
  /** The person's, good for 5 minutes. */
  readonly token: string;
}

/** A real hub on a database file, killed without warning and started again on the same port. */
export class KillableHub {
  readonly #folder = mkdtempSync(join(tmpdir(), "killable-hub-"));
  #process: ChildProcess | undefined;
  #port = "0";

  async start(): Promise<HubSaid> {
    const child = spawn(process.execPath, [PROGRAM, join(this.#folder, "hub.db"), this.#port], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process = child;
    const [line] = await Promise.race([
      once(child.stdout, "data"),
      once(child, "exit").then(() => Promise.reject(new Error("the hub did not start"))),
    ]);
    const said: HubSaid = JSON.parse(String(line));
    this.#port = new URL(said.url).port;
    return said;
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
