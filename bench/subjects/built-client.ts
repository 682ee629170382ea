import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../scripts/node-flags.ts";
import { cpuMs } from "../measure.ts";
import { NO_LIMITS } from "../no-limits.ts";

/** The output of `npm run build`. */
export const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const ENTRY = fileURLToPath(new URL("../processes/client.mjs", import.meta.url));

export interface BuiltClient {
  readonly ui: string;
  readonly hub: string;
  /** CPU time used by the process so far, in milliseconds. */
  cpu(): Promise<number>;
  /** Bytes of memory that the process holds. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

/** A built program with the browser host, on its own data folder. */
export async function startBuiltClient(
  dataDir: string,
  nodeFlags: readonly string[],
  kind: "plain" | "encrypted" | "limited" = "encrypted",
): Promise<BuiltClient> {
  const own = ["--no-open", "--data-dir", dataDir, "--hub-port", "0"];
  const limits = JSON.stringify(kind === "limited" ? {} : NO_LIMITS);
  const args = [...NODE_FLAGS, ...nodeFlags, ENTRY, DIST, kind, limits, ...own];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...NODE_ENVIRONMENT, ...process.env },
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("the client has no outputs");
  const said: string[] = [];
  createInterface(stderr).on("line", (line) => said.push(line));
  const ended = once(child, "exit");
  const line = once(createInterface(stdout), "line");
  const [ready] = await Promise.race([
    line,
    ended.then(() => {
      throw new Error(`the client did not start:\n${said.join("\n")}`);
    }),
  ]);
  const { ui, hub } = JSON.parse(String(ready));
  return {
    ui,
    hub,
    async cpu() {
      const told = once(child, "message");
      child.send("cpu");
      const [usage] = await told;
      return cpuMs(usage);
    },
    async memory() {
      const told = once(child, "message");
      child.send("memory");
      const [bytes] = await told;
      return Number(bytes);
    },
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
