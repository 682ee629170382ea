import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { type Commands, test } from "./support/command-fixtures.ts";
import { expect } from "./support/fixtures.ts";
import { startedClient } from "./support/mcp-client.ts";

const fileOf = (place: string) => fileURLToPath(new URL(place, import.meta.url));
const CHECKOUT = [fileOf("../scripts/mcp.mjs")];
/** The app as it is installed: Electron's executable takes the words itself. */
const DOUBLE = fileOf("electron-double/register.mjs");
const APP = ["--import", DOUBLE, fileOf("../dist/main/desktop-main.js")];
const QUESTION = {
  session_id: "s",
  cwd: "/",
  tool_name: "Bash",
  tool_input: { command: "echo hi" },
};
const HOST = ["--host", "browser", "--no-open", "--hub-port", "0"];

let config: string;
const clients: Client[] = [];
test.beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), "consentry-mcp-start-"));
});
test.afterEach(async ({ commands }) => {
  for (const client of clients.splice(0)) await client.close();
  for (const pid of programsOn(commands.dataDir)) process.kill(pid, "SIGTERM");
  await expect.poll(() => programsOn(commands.dataDir)).toEqual([]);
  rmSync(config, { recursive: true, force: true });
});

async function open(args: readonly string[], dataDir: string): Promise<Client> {
  const client = await startedClient([...args, "--data-dir", dataDir], config);
  clients.push(client);
  return client;
}

const said = async (client: Client, tool: string, args = {}) =>
  JSON.stringify(await client.callTool({ name: tool, arguments: args }));
const codeIn = (text: string) => /[2-9A-Z]{3}-[2-9A-Z]{3}/.exec(text)?.[0];

test("two clients at once start one program in the background, which the person answers", async ({
  commands,
  page,
}) => {
  test.skip(process.platform !== "linux", "processes are looked for in /proc");
  const starting = [...CHECKOUT, ...HOST];
  const both = await Promise.all([
    open(starting, commands.dataDir),
    open(starting, commands.dataDir),
  ]);
  const told = await Promise.all(both.map((client) => said(client, "request_permission")));
  const [code, other] = told.map(codeIn);
  expect(code).toMatch(/-/);
  expect(other).toBe(code);
  await expect.poll(() => hostsAmong(commands)).toHaveLength(1);
  for (const host of hostsAmong(commands)) expect(commandOf(host)).toContain("semi-space-size");

  const second = commands.start();
  await second.exited;
  await page.goto(JSON.parse(second.stdout).ui);
  const card = page.getByTestId("pairing-card");
  await expect(card).toContainText(code ?? "");
  await card.getByTestId("pairing-accept").click();
  for (const client of both) {
    await expect
      .poll(async () => (await client.listTools()).tools.map(({ name }) => name))
      .toContain("send_notification");
  }
});

test("a program that cannot be started is an answer, at once", async ({ commands }) => {
  const client = await open([...CHECKOUT, "--host", "neither"], commands.dataDir);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["request_permission"]);
  expect(await said(client, "read_file", { path: "/etc/hostname" })).toContain("not running");
});

test("the installed app serves a client and a hook without a window, beside the program", async ({
  commands,
}) => {
  const client = await open([...APP, "mcp", "--no-start"], commands.dataDir);
  expect(await said(client, "request_permission")).toContain("not running");
  const program = commands.start();
  await program.ready();
  expect(codeIn(await said(client, "request_permission"))).toMatch(/-/);
  const asked = spawnSync(process.execPath, [...APP, "hook", "claude-code", "--limit", "1"], {
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: config, HOME: config },
    input: JSON.stringify(QUESTION),
    encoding: "utf8",
  });
  expect(asked.stderr).toContain("Consentry is not running");
  expect(asked.status).toBe(2);
  expect(await program.end()).toBe(0);
});

/** The processes whose command names the data folder, which no other test uses. */
function programsOn(dataDir: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandOf(pid).includes(dataDir) && !commandOf(pid).includes("/mcp.mjs"));
}

const hostsAmong = ({ dataDir }: Pick<Commands, "dataDir">) =>
  programsOn(dataDir).filter((pid) => commandOf(pid).includes("browser-main.js"));

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
