import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { performance } from "node:perf_hooks";
import { stripVTControlCharacters } from "node:util";

export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of all. */
  readonly env?: NodeJS.ProcessEnv;
  /** As `os.setPriority` takes it, also for what it starts; without it, this process's own. */
  readonly priority?: number | undefined;
  /** Its output is also written on as it comes. */
  readonly isLive?: boolean | undefined;
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
}

interface SideBySideOptions extends StepOptions {
  /** Called for each step when it ends, in that order. */
  readonly onEnd: (result: StepResult) => void;
}

/** Starts all steps at once and waits for all of them: none is cut short by the failure of another. */
export function runSideBySide(
  steps: readonly Step[],
  { onEnd, ...options }: SideBySideOptions,
): Promise<readonly StepResult[]> {
  return Promise.all(
    steps.map(async (step) => {
      const result = await runStep(step, options);
      onEnd(result);
      return result;
    }),
  );
}

export function runStep(step: Step, { env, colors }: StepOptions): Promise<StepResult> {
  const { title, priority } = step;
  const started = performance.now();
  const child = spawn(step.command, step.args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, ...step.env, ...(colors ? { FORCE_COLOR: "1" } : {}) },
    shell: process.platform === "win32",
  });
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
  let output = "";
  const take = (text: string): void => {
    const shown = colors ? text : stripVTControlCharacters(text);
    if (step.isLive === true) process.stdout.write(shown);
    output += shown;
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  return new Promise((resolve) => {
    const end = (passed: boolean, more = "") => {
      const seconds = (performance.now() - started) / 1000;
      resolve({ title, passed, seconds, output: output + more });
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
