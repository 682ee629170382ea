import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PairingView } from "../../../app/bridge/views.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
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
});
