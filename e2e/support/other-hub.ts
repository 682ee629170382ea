import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("../../scripts/hub.ts", import.meta.url));

/** A hub that several people use, in a process of its own. */
export class OtherHub {
  readonly #dataDir = mkdtempSync(join(tmpdir(), "consentry-other-hub-"));
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;
  #url = "";

  /** @param flags besides where it is */
  constructor(...flags: readonly string[]) {
    this.#flags = flags;
  }

  get url(): string {
    return this.#url;
  }

  /** Again where it was, if it has run. */
  async start(): Promise<this> {
    const port = this.#url === "" ? "0" : new URL(this.#url).port;
    const where = ["--listen", `127.0.0.1:${port}`, "--data-dir", this.#dataDir];
    const child = spawn(process.execPath, [SCRIPT, ...where, ...this.#flags], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process = child;
    const [line] = await once(createInterface(child.stdout), "line");
    this.#url = (JSON.parse(String(line)) as { hub: string }).hub;
    return this;
  }

  /** The link of an invitation. */
  invite(name: string): string {
    return this.#command("invite", name).trim();
  }

  people(): { readonly user_id: string; readonly name: string }[] {
    const lines = this.#command("people").trim().split("\n");
    return lines.map((line) => {
      const [user_id = "", name = ""] = line.split(/\s+/);
      return { user_id, name };
    });
  }

  suspend(userId: string): void {
    this.#command("suspend", userId);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  #command(...words: readonly string[]): string {
    const args = [SCRIPT, ...words, "--data-dir", this.#dataDir];
    return execFileSync(process.execPath, args, { encoding: "utf8" });
  }
}
