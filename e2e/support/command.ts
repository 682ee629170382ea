import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ReadyLine } from "./program.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const START = fileURLToPath(new URL("../../scripts/start.ts", import.meta.url));

/**
 * The start command as a person types it, in a process of its own. `npm start` builds before it;
 * here that is done already.
 */
export class Command {
  readonly #child: ChildProcess;
  readonly exited: Promise<number | null>;
  stdout = "";
  stderr = "";

  constructor(flags: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
    this.#child = spawn(process.execPath, [START, ...flags], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    this.#child.stdout?.on("data", (text) => {
      this.stdout += text;
    });
    this.#child.stderr?.on("data", (text) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve) => this.#child.once("close", resolve));
  }

  get stdoutLines(): readonly string[] {
    return linesOf(this.stdout);
  }

  /** Without what the build has to say, when there was something to build. */
  get stderrLines(): readonly string[] {
    return linesOf(this.stderr).filter((line) => !line.startsWith("Built "));
  }

  /** The line of JSON that says that the program runs. */
  ready(): Promise<ReadyLine> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const [line] = this.stdoutLines;
        if (line !== undefined && this.stdout.endsWith("\n")) resolve(JSON.parse(line));
      };
      this.#child.stdout?.on("data", look);
      look();
      void this.exited.then((code) => reject(new Error(`ended with ${code}: ${this.stderr}`)));
    });
  }

  /** As Ctrl-C or the system would end it; resolves to the exit code. */
  async end(signal: "SIGINT" | "SIGTERM" = "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    return await this.exited;
  }
}

const linesOf = (text: string): readonly string[] =>
  text.split("\n").filter((line) => line.trim() !== "");
