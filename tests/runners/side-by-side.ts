import { spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { stripVTControlCharacters } from "node:util";

export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

export interface StepResult {
  readonly title: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly output: string;
}

interface StepOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Whether their output is for a terminal. Not all of them see by themselves that a pipe takes no colors. */
  readonly colors: boolean;
  /** Called for each step when it ends, in that order. */
  readonly onEnd: (result: StepResult) => void;
}

/** Starts all steps at once and waits for all of them: none is cut short by the failure of another. */
export function runSideBySide(
  steps: readonly Step[],
  { env, colors, onEnd }: StepOptions,
): Promise<readonly StepResult[]> {
  return Promise.all(
    steps.map(async (step) => {
      const result = await runStep(step, env, colors);
      onEnd(result);
      return result;
    }),
  );
}

function runStep(
  { title, command, args }: Step,
  env: NodeJS.ProcessEnv,
  colors: boolean,
): Promise<StepResult> {
  const started = performance.now();
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: colors ? { ...env, FORCE_COLOR: "1" } : env,
    shell: process.platform === "win32",
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const end = (passed: boolean, more = "") => {
      const seconds = (performance.now() - started) / 1000;
      const written = Buffer.concat(chunks).toString() + more;
      const output = colors ? written : stripVTControlCharacters(written);
      resolve({ title, passed, seconds, output });
    };
    child.once("error", (error) => end(false, `${error.message}\n`));
    child.once("close", (code) => end(code === 0));
  });
}

/** A step's line and, if it failed, what it wrote. */
export function stepReport({ title, passed, seconds, output }: StepResult): string {
  const line = `${passed ? "ok    " : "FAILED"} ${title} (${seconds.toFixed(1)} s)`;
  return passed ? line : `${line}\n${output.trimEnd()}\n`;
}
