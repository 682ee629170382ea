import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ENTRY = fileURLToPath(new URL("../processes/client.ts", import.meta.url));

export interface BuiltClient {
  readonly ui: string;
  readonly hub: string;
  close(): Promise<void>;
}

/** The built program with the browser host, on a data folder of its own. */
export async function startBuiltClient(
  dataDir: string,
  nodeFlags: readonly string[],
): Promise<BuiltClient> {
  const args = [...nodeFlags, ENTRY, "--no-open", "--data-dir", dataDir, "--hub-port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  createInterface(child.stderr).on("line", (line) => said.push(line));
  const ended = once(child, "exit");
  const line = once(createInterface(child.stdout), "line");
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
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
