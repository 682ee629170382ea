import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { findProgram, isProgram } from "../run-program.ts";

/** An X server for the test that displays nothing. */
export interface XServer {
  readonly display: string;
  close(): Promise<void>;
}

/** The program's path; null if it is not installed. */
export const installed = (name: string): string | null =>
  findProgram(name, process.env.PATH ?? "", isProgram);

export async function startXServer(program: string): Promise<XServer> {
  const argv = ["-displayfd", "3", "-screen", "0", "64x64x24", "-nolisten", "tcp"];
  const child = spawn(program, argv, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const numbers = child.stdio[3];
  if (!(numbers instanceof Readable)) throw new TypeError("the server has no display");
  const [display] = await once(createInterface(numbers), "line");
  return {
    display: `:${String(display)}`,
    async close() {
      const ended = once(child, "exit");
      // Not SIGKILL, so that it removes its lock file and socket.
      child.kill("SIGTERM");
      await ended;
    },
  };
}
