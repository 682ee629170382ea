import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { DIST } from "./built-client.ts";
import type { Subject } from "./subject.ts";

const EMPTY = fileURLToPath(new URL("../processes/empty-program.ts", import.meta.url));

/** From the start of its process to the line that says that it is ready. */
function startedProgram(name: string, args: () => readonly string[]): Subject {
  return {
    name,
    modes: [1],
    async turn({ calls }) {
      const samples_ms: number[] = [];
      for (let left = calls; left > 0; left -= 1) samples_ms.push(await startAndEnd(args()));
      const elapsed_ms = samples_ms.reduce((sum, each) => sum + each, 0);
      return { samples_ms, elapsed_ms, cpu_ms: 0 };
    },
    close: async () => {},
  };
}

/**
 * Milliseconds. The end is waited for, and does not count: the next start must not share the machine with it.
 */
async function startAndEnd(args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [...args], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  const [line] = await once(createInterface(child.stdout), "line");
  const took = performance.now() - began;
  if (JSON.parse(String(line)).event !== "ready") throw new Error("the program did not start");
  child.kill("SIGTERM");
  await ended;
  return took;
}

const browserHost = (dataDir: string): readonly string[] => [
  join(DIST, "main/browser-main.js"),
  ...["--no-open", "--hub-port", "0", "--data-dir", dataDir],
];

export const emptyProgram = (name: string): Subject => startedProgram(name, () => [EMPTY]);

/** With a data folder that is new each time. */
export const firstStart = (name: string, folder: string): Subject =>
  startedProgram(name, () => browserHost(join(mkdtempSync(join(folder, "first-")), "data")));

/** With the data folder of the start before. */
export const laterStart = (name: string, folder: string): Subject =>
  startedProgram(name, () => browserHost(join(folder, "later")));
