import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../../tests/servers/free-port.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/hub.ts", import.meta.url));

/** A hub that several people use, or a node of one, in a process of its own. */
export class OtherHub {
  readonly #dataDir = mkdtempSync(join(tmpdir(), "consentry-other-hub-"));
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;
  #port = 0;
  #url = "";

  /** @param flags besides where it is */
  constructor(...flags: readonly string[]) {
    this.#flags = flags;
  }

  get url(): string {
    return this.#url;
  }

  /** Where it listens. */
  get port(): number {
    return this.#port;
  }

  get isRunning(): boolean {
    const { exitCode = 0, signalCode = null } = this.#process ?? {};
    return exitCode === null && signalCode === null;
  }

  /** Again where it was, if it has run. */
  async start(): Promise<this> {
    if (this.#port === 0) this.#port = await freePort();
    const where = ["--listen", `127.0.0.1:${this.#port}`, "--data-dir", this.#dataDir];
    const child = spawn(process.execPath, [SCRIPT, ...where, ...this.#flags], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process = child;
    const [line] = await once(createInterface(child.stdout), "line");
    this.#url = (JSON.parse(String(line)) as { hub: string }).hub;
    return this;
  }

  /** The link of an invitation. */
  async invite(name: string): Promise<string> {
    return (await this.#command("invite", name)).trim();
  }

  /** The id of whoever was invited under this name. */
  async idOf(name: string): Promise<string> {
    const lines = (await this.#command("people")).trim().split("\n");
    const found = lines.map((line) => line.split("\t")).find(([, invited]) => invited === name);
    return found?.[0] ?? "";
  }

  async suspend(userId: string): Promise<void> {
    await this.#command("suspend", userId);
  }

  async restore(userId: string): Promise<void> {
    await this.#command("restore", userId);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || !this.isRunning) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #command(...words: readonly string[]): Promise<string> {
    const args = [SCRIPT, ...words, "--data-dir", this.#dataDir];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  }
}
