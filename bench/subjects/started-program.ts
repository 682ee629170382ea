import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findElectron } from "../../scripts/find-electron.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../scripts/node-flags.ts";
import { DIST } from "./built-client.ts";
import type { Subject } from "./subject.ts";

const ROOT = new URL("../../", import.meta.url);
const EMPTY = fileURLToPath(new URL("../processes/empty-program.mjs", import.meta.url));

interface Command {
  readonly program: string;
  /** With the data folder. */
  readonly args: readonly string[];
  /** In addition to our own. */
  readonly env?: Readonly<Record<string, string>>;
}

type CommandLine = (dataDir: string) => Command;

interface Started {
  readonly took_ms: number;
  /** Kilobytes that the process holds when it is ready; null if the system does not say. */
  readonly held_kb: number | null;
}

/** @param run returns how long it took, in milliseconds */
const timed = (name: string, run: () => Promise<number>): Subject => ({
  name,
  modes: [1],
  async turn({ calls }) {
    const samples_ms: number[] = [];
    for (let left = calls; left > 0; left -= 1) samples_ms.push(await run());
    return { samples_ms, elapsed_ms: samples_ms.reduce((sum, each) => sum + each, 0), cpu_ms: 0 };
  },
  close: async () => {},
});

/** From the start of its process to the line that says that it is ready. */
const startedProgram = (name: string, command: CommandLine, dataDir: () => string): Subject =>
  timed(name, async () => (await startAndEnd(command(dataDir()))).took_ms);

/** From the start of its process to its end, with this on standard input. */
export const endedProgram = (
  name: string,
  args: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv = process.env,
): Subject =>
  timed(name, async () => {
    const began = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.end(input);
    await once(child, "exit");
    return performance.now() - began;
  });

/** The end is waited for, and does not count: the next start must not share the machine with it. */
async function startAndEnd({ program, args, env }: Command): Promise<Started> {
  const began = performance.now();
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...env, ...process.env },
  });
  const ended = once(child, "exit");
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    ended.then(([code]) => {
      throw new Error(`${program} ended with ${code}`);
    }),
  ]);
  const took_ms = performance.now() - began;
  if (JSON.parse(String(line)).event !== "ready") throw new Error("the program did not start");
  const held_kb = heldBy(child.pid);
  child.kill("SIGTERM");
  await ended;
  return { took_ms, held_kb };
}

function heldBy(pid: number | undefined): number | null {
  try {
    const [, held] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return held === undefined ? null : Number(held);
  } catch {
    return null;
  }
}

const OWN = ["--no-open", "--hub-port", "0", "--data-dir"];
const emptyProgram: CommandLine = (dataDir) => ({
  program: process.execPath,
  args: [EMPTY, dataDir],
});
const browserHost: CommandLine = (dataDir) => ({
  program: process.execPath,
  args: [...NODE_FLAGS, join(DIST, "main/browser-main.js"), ...OWN, dataDir],
  env: NODE_ENVIRONMENT,
});

/** Null where there is no Electron. */
export function desktopHost(): CommandLine | null {
  const electron = findElectron(ROOT, process.env);
  if (electron === null) return null;
  const entry = join(DIST, "main/desktop-main.js");
  return (dataDir) => ({ program: electron, args: [entry, ...OWN, dataDir] });
}

export const PROGRAMS = { emptyProgram, browserHost };

/** With a data folder that is new each time. */
export const firstStart = (name: string, command: CommandLine, folder: string): Subject =>
  startedProgram(name, command, () => join(mkdtempSync(join(folder, "first-")), "data"));

/** With the data folder of the start before. */
export function laterStart(name: string, command: CommandLine, folder: string): Subject {
  const place = mkdtempSync(join(folder, "later-"));
  return startedProgram(name, command, () => join(place, "data"));
}

/** Bytes that the program holds right after a first start; null if the system does not say. */
export async function heldWhenReady(command: CommandLine, folder: string): Promise<number | null> {
  const { held_kb } = await startAndEnd(command(join(mkdtempSync(join(folder, "held-")), "data")));
  return held_kb === null ? null : held_kb * 1_024;
}
