import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "consentry-quick-start-"));
/** The program writes its hub's address here for other programs, and removes it when it ends. */
const hubAddress = join(folder, "hub.url");
/** Signals everything that was started, like Ctrl-C in a terminal. */
let signalAll: (signal: NodeJS.Signals) => void = () => {};

afterEach(() => {
  signalAll("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

it("npm start serves the page, says where, and ends cleanly at Ctrl-C", async (ctx) => {
  if (process.platform === "win32") ctx.skip("Windows has no process groups to send Ctrl-C to");
  const npm = startNpm();
  // The output ends with the last process that holds it; npm does not wait for its children.
  const ended = once(npm, "close");
  const { ui, hub } = await readyLine(npm);
  const page = await fetch(ui);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toMatch("text/html");
  expect(await (await fetch(`${hub}/health`)).json()).toEqual({ data: { status: "ok" } });
  expect(existsSync(hubAddress)).toBe(true);
  signalAll("SIGINT");
  await ended;
  signalAll = () => {};
  expect(existsSync(hubAddress)).toBe(false);
}, 120_000);

function startNpm(): ChildProcess {
  const place = ["--port", "0", "--hub-port", "0", "--data-dir", folder, "--lang", "en"];
  const npm = spawn("npm", ["start", "--", "--host", "browser", "--no-open", ...place], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const { pid } = npm;
  if (pid !== undefined) signalAll = (signal) => process.kill(-pid, signal);
  return npm;
}

async function readyLine({ stdout }: ChildProcess): Promise<{ ui: string; hub: string }> {
  if (stdout === null) throw new Error("npm has no output");
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith('{"event":"ready"')) {
      stdout.resume();
      return JSON.parse(line);
    }
  }
  throw new Error("the program ended before it was ready");
}
