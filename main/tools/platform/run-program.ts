import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { errorKind } from "../../../app/contract/coded-error.ts";
import { toolFailure } from "../../../app/execution/ports.ts";

export interface ProgramCall {
  /** Absolute path of the program. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written to the program's standard input, which is then closed. */
  readonly stdin?: string | Uint8Array;
}

/** Thrown if a program cannot start, is killed, or exits with a code other than 0. */
export const programFailed = errorKind<"program_failed">("ProgramFailed");

/**
 * Runs a program without a shell and returns its standard output.
 * @param maxBytes more output than this kills the program and throws `too_large`
 * @throws ToolFailure (`cancelled`, `too_large`) or ProgramFailed
 */
export async function programOutput(
  call: ProgramCall,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const child = start(call, "pipe", signal);
  const [output] = await Promise.all([
    collect(child, child.stdout, maxBytes),
    ended(child, "close", signal),
  ]);
  return output;
}

/**
 * Runs a program for its effect. Its output is discarded, not piped: clipboard programs leave a
 * child process that keeps the pipes open for as long as it owns the selection.
 * @throws ToolFailure (`cancelled`) or ProgramFailed
 */
export async function runProgram(call: ProgramCall, signal: AbortSignal): Promise<void> {
  await ended(start(call, "ignore", signal), "exit", signal);
}

function start(call: ProgramCall, stdout: "pipe" | "ignore", signal: AbortSignal): ChildProcess {
  if (signal.aborted) throw toolFailure("cancelled");
  const child = spawn(call.program, call.argv, {
    env: { ...call.env },
    stdio: ["pipe", stdout, "ignore"],
    shell: false,
    windowsHide: true,
  });
  // If a program ends without reading its input, its exit code counts, not EPIPE.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(call.stdin ?? "");
  return child;
}

function ended(child: ChildProcess, event: "exit" | "close", signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      // SIGKILL, because the work must really stop (contract §2.8); these programs have nothing to
      // clean up.
      child.kill("SIGKILL");
      child.stdout?.destroy();
      reject(toolFailure("cancelled"));
    };
    signal.addEventListener("abort", stop, { once: true });
    child.once("error", () => {
      signal.removeEventListener("abort", stop);
      reject(programFailed("program_failed", { message: "not started" }));
    });
    child.once(event, (code: number | null) => {
      signal.removeEventListener("abort", stop);
      if (code === 0) resolve();
      else reject(programFailed("program_failed", { message: "ended badly" }));
    });
  });
}

async function collect(
  child: ChildProcess,
  stdout: Readable | null,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdout ?? []) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > maxBytes) {
      child.kill("SIGKILL");
      throw toolFailure("too_large");
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export type IsProgram = (path: string) => boolean;

/** Whether this is a regular file that the user may execute. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of this program on a POSIX `PATH`, without starting anything. Empty and
 * relative entries are skipped: they mean the current folder, where anybody may have put a program.
 */
export function findProgram(name: string, path: string, exists: IsProgram): string | null {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  return folders.map((folder) => join(folder, name)).find(exists) ?? null;
}
