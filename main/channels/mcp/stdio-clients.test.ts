import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PairingView } from "../../../app/bridge/agent-views.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { newClient, oldClient, type StdioPlace } from "./testing/stdio-client.ts";

let client: LaunchedClient;
let place: StdioPlace;
beforeEach(async () => {
  client = await LaunchedClient.start();
  place = { dataDir: client.dataDir, config: join(client.dataDir, "..", "clients") };
});
afterEach(() => client.end());

const pairing = (): Promise<PairingView> =>
  eventually(async () => (await client.snapshot()).pairings[0]);

async function accept(scopes: readonly string[]): Promise<void> {
  const { pairing_id } = await pairing();
  await client.call("pairing.answer", { pairing_id, accept: true, granted_scopes: [...scopes] });
}

const OPEN = {
  "the client of line 1.x": () => oldClient(place),
  "the client of line 2, revision 2026-07-28": () => newClient(place, "auto"),
  "the client of line 2, older revisions": () => newClient(place, "legacy"),
};

describe.each(Object.entries(OPEN))("%s over stdio", (_name, open) => {
  it("is shown to the person at its first contact, and uses what they grant", async () => {
    const mcp = await open();
    const before = await mcp.listTools();
    expect(before.tools.map(({ name }) => name)).toEqual(["request_permission"]);
    const asked = await pairing();
    expect(asked.name).toMatch(/^(?:Old|New) client$/);
    expect(asked.local).toMatchObject({ asks: "connect", agent_id: null });
    const told = await mcp.callTool({ name: "request_permission", arguments: {} });
    expect(told).toMatchObject({ isError: true });
    expect(JSON.stringify(told)).toContain(asked.code);
    await accept(["notification:send", "clipboard:write"]);
    const { tools } = await eventually(async () => {
      const list = await mcp.listTools();
      return list.tools.length > 1 ? list : undefined;
    });
    expect(tools.map(({ name }) => name)).toEqual([
      "write_clipboard",
      "send_notification",
      "request_permission",
      "collect_answer",
    ]);
    const shown = await mcp.callTool({ name: "send_notification", arguments: { title: "Hello" } });
    expect(shown).toMatchObject({ structuredContent: { shown: true } });
    const write = mcp.callTool({ name: "write_clipboard", arguments: { text: "copied" } });
    await client.answer("deny");
    expect(await write).toMatchObject({
      isError: true,
      _meta: { "consentry/outcome": { status: "denied", reason: "user_refused" } },
    });
    await mcp.close();
  });

  it("hears how a call gets on, cancels it, and reads a folder that was given", async () => {
    const mcp = await open();
    await mcp.listTools();
    await accept(["filesystem:read", "clipboard:write"]);
    await eventually(async () => ((await mcp.listTools()).tools.length > 2 ? true : undefined));
    const heard: (string | undefined)[] = [];
    const stop = new AbortController();
    const call = { name: "write_clipboard", arguments: { text: "x" } };
    const more = {
      signal: stop.signal,
      onprogress: ({ message }: { message?: string | undefined }) => void heard.push(message),
    };
    const ended = expect(
      mcp instanceof OldClient ? mcp.callTool(call, undefined, more) : mcp.callTool(call, more),
    ).rejects.toThrow();
    await client.waitingCard();
    client.time.jump(10_000);
    await eventually(async () => (heard.length > 0 ? true : undefined));
    expect(heard[0]).toBe("Waiting for the person to answer");
    stop.abort();
    await ended;
    await client.cards(0);

    const folder = scratchFolder();
    writeFileSync(join(folder, "notes.md"), "Buy milk.\n");
    const [agent] = (await client.snapshot()).agents;
    const given = { agent_id: agent?.agent_id ?? "", path: folder, access: "read" as const };
    await client.call("permissions.add_root", given);
    const { resources } = await mcp.listResources();
    const uri = pathToFileURL(folder).href;
    expect(resources).toMatchObject([{ uri, mimeType: "inode/directory" }]);
    const file = mcp.readResource({ uri: `${uri}/notes.md` });
    await client.answer("allow_in_conversation");
    expect((await file).contents).toMatchObject([{ text: "Buy milk.\n" }]);
    const listed = await mcp.readResource({ uri });
    expect(JSON.stringify(listed.contents)).toContain("notes.md");
    await mcp.close();
  });
});

it.each([
  ["its tasks", (mcp: OldClient) => mcp.experimental.tasks.listTasks()],
  ["a task", (mcp: OldClient) => mcp.experimental.tasks.getTask("x")],
])("a client that asks for %s first is shown under its own name", async (_what, ask) => {
  const mcp = await oldClient(place);
  await expect(ask(mcp)).rejects.toThrow();
  expect((await pairing()).name).toBe("Old client");
  await mcp.close();
});

it("a program that ends while a call waits is an answer, and the next call finds it again", async () => {
  const mcp = await newClient(place);
  await mcp.listTools();
  await accept(["notification:send", "clipboard:write"]);
  await eventually(async () => ((await mcp.listTools()).tools.length > 1 ? true : undefined));
  const waiting = mcp.callTool({ name: "write_clipboard", arguments: { text: "x" } });
  await client.waitingCard();
  await client.close();
  expect(await waiting).toMatchObject({ isError: true });
  const away = await mcp.callTool({ name: "send_notification", arguments: { title: "x" } });
  expect(JSON.stringify(away)).toContain("not running");
  expect((await mcp.listTools()).tools.map(({ name }) => name)).toEqual(["request_permission"]);
  await client.launch();
  const shown = await mcp.callTool({ name: "send_notification", arguments: { title: "x" } });
  expect(shown).toMatchObject({ structuredContent: { shown: true } });
  await mcp.close();
});

it("a call of the program's own tools is answered, whatever is named in it", async () => {
  const mcp = await newClient(place);
  await mcp.listTools();
  await accept(["notification:send"]);
  await eventually(async () => ((await mcp.listTools()).tools.length > 1 ? true : undefined));
  const outcome = async (name: string, args: Record<string, unknown>) =>
    (await mcp.callTool({ name, arguments: args }))._meta?.["consentry/outcome"];
  const none = [{}, { permissions: [] }, { permissions: [""] }, { permissions: [7] }];
  for (const args of [...none, { scopes: ["shell:exec"] }, { permissions: "shell:exec" }]) {
    expect(await outcome("request_permission", args)).toMatchObject({ reason: "unknown_scope" });
  }
  expect(await outcome("collect_answer", { ticket: "" })).toMatchObject({
    reason: "no_such_ticket",
  });
  expect(await outcome("x".repeat(1000), {})).toMatchObject({ status: "error" });
  await mcp.close();
});

it("a client is told when what it may use has changed", async () => {
  const changed = vi.fn();
  const mcp = await oldClient(place);
  mcp.setNotificationHandler(ToolListChangedNotificationSchema, changed);
  await mcp.listTools();
  await accept(["notification:send"]);
  await eventually(async () => (changed.mock.calls.length > 0 ? true : undefined));
  await eventually(async () => ((await mcp.listTools()).tools.length > 1 ? true : undefined));
  changed.mockClear();
  const [agent] = (await client.snapshot()).agents;
  const agent_id = agent?.agent_id ?? "";
  await client.call("permissions.revoke_scope", { agent_id, scope: "notification:send" });
  await eventually(async () => (changed.mock.calls.length > 0 ? true : undefined));
  const { tools } = await mcp.listTools();
  expect(tools.map(({ name }) => name)).not.toContain("send_notification");
  await mcp.close();
});
