import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client as NewClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { httpAccess } from "./testing/mcp-address.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/mcp.mjs", import.meta.url));

let client: LaunchedClient;
let token: string;
let url: URL;
beforeEach(async () => {
  client = await LaunchedClient.start();
  ({ token, url } = await httpAccess(client));
});
afterEach(() => client.end());

const options = () => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });
const ABOUT = { name: "HTTP client", version: "1.0.0" };
async function oldClient(): Promise<OldClient> {
  const mcp = new OldClient(ABOUT);
  // Its own type of a transport does not hold under the strictness that this project sets.
  await mcp.connect(new OldTransport(url, options()) as Parameters<OldClient["connect"]>[0]);
  return mcp;
}
async function newClient(mode: "auto" | "legacy"): Promise<NewClient> {
  const mcp = new NewClient(ABOUT, { versionNegotiation: { mode } });
  await mcp.connect(new StreamableHTTPClientTransport(url, options()));
  return mcp;
}

const OPEN = {
  "the client of line 1.x": oldClient,
  "the client of line 2, revision 2026-07-28": () => newClient("auto"),
  "the client of line 2, older revisions": () => newClient("legacy"),
};

describe.each(Object.entries(OPEN))("%s over HTTP", (_name, open) => {
  it("lists, calls, is refused, and cancels", async () => {
    const mcp = await open();
    const { tools } = await mcp.listTools();
    expect(tools.map(({ name }) => name)).toContain("write_clipboard");
    const shown = await mcp.callTool({ name: "send_notification", arguments: { title: "Hello" } });
    expect(shown).toMatchObject({ structuredContent: { shown: true } });
    const refused = mcp.callTool({ name: "write_clipboard", arguments: { text: "one" } });
    await client.answer("deny");
    expect(await refused).toMatchObject({ isError: true });
    const stop = new AbortController();
    const call = { name: "write_clipboard", arguments: { text: "two" } };
    const stopped =
      mcp instanceof OldClient
        ? mcp.callTool(call, undefined, { signal: stop.signal })
        : mcp.callTool(call, { signal: stop.signal });
    const ended = expect(stopped).rejects.toThrow();
    await client.waitingCard();
    stop.abort();
    await ended;
    await client.cards(0);
    const log = await eventually(async () => {
      const lines = await client.log();
      return lines.length === 3 ? lines : undefined;
    });
    expect(log[0]).toMatchObject({ reason: "cancelled" });
    expect(client.platform.writes).toEqual([]);
    await mcp.close();
  });
});

it.each(Object.entries(OPEN))("%s over HTTP hears that its tools have changed", async (_, open) => {
  const mcp = await open();
  const changed = vi.fn();
  if (mcp instanceof OldClient) {
    mcp.setNotificationHandler(ToolListChangedNotificationSchema, changed);
  } else {
    mcp.setNotificationHandler("notifications/tools/list_changed", changed);
    if (mcp.getProtocolEra() === "modern") await mcp.listen({ toolsListChanged: true });
  }
  const tools = async () => (await mcp.listTools()).tools.map(({ name }) => name);
  expect(await tools()).toContain("write_clipboard");
  const [agent] = (await client.snapshot()).agents;
  const agent_id = agent?.agent_id ?? "";
  // Older ones open their stream a moment after they have connected.
  for (let suspended = true; changed.mock.calls.length === 0; suspended = !suspended) {
    await client.call("agents.suspend", { agent_id, suspended });
    await pause(20);
  }
  await client.call("agents.suspend", { agent_id, suspended: false });
  await client.call("permissions.revoke_scope", { agent_id, scope: "clipboard:write" });
  expect(await tools()).not.toContain("write_clipboard");
  await mcp.close();
});

it.each([
  ["line 1.x", oldClient],
  ["line 2, older revisions", () => newClient("legacy")],
] as const)(
  "a client of %s goes on in its session when the program was started again",
  async (_, open) => {
    const mcp = await open();
    await client.restart();
    const call = { name: "send_notification", arguments: { title: "Back" } };
    expect(await mcp.callTool(call)).toMatchObject({ structuredContent: { shown: true } });
    await mcp.close();
  },
);

it("arguments that break a tool's schema are answered with the place, for models and for programs", async () => {
  const mcp = await newClient("auto");
  const edits = [{ old_text: 5, new_text: "" }];
  const answer = await mcp.callTool({ name: "edit_file", arguments: { path: "/a", edits } });
  const violation = { pointer: "/edits/0/old_text", keyword: "type" };
  expect(answer).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('"/edits/0/old_text"') }],
    _meta: { "consentry/outcome": { status: "error", reason: "schema_violation", violation } },
  });
  await mcp.close();
});

it("the command for a client over HTTP asks the person, names the code once, and prints the address and a token", async () => {
  const args = [SCRIPT, "--data-dir", client.dataDir, "--no-start", "--http", "--name", "Remote"];
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: scratchFolder() };
  const printed = promisify(execFile)(process.execPath, args, { env });
  const asked = await eventually(async () => (await client.snapshot()).pairings[0]);
  expect(asked.name).toBe("Remote");
  await client.acceptPairing(asked.code, []);
  const { stdout, stderr } = await printed;
  expect(stderr).toBe(`Allow it in Consentry. The code there must be ${asked.code}.\n`);
  const access: unknown = JSON.parse(stdout);
  expect(access).toEqual({
    url: url.href,
    headers: { Authorization: expect.stringMatching(/^Bearer [A-Za-z0-9_-]{43}$/) },
  });
});
