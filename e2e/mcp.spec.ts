import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "./support/fixtures.ts";
import { mcpClient } from "./support/mcp-client.ts";

const names = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

test("an MCP client is connected, asks for a file and for more, in the person's own windows", async ({
  stage,
}) => {
  const path = join(stage.folderWith({ "notes.md": "Buy milk.\n" }), "notes.md");
  const client = await mcpClient(stage);
  const { main } = stage.program;
  expect(await names(client)).toEqual(["request_permission"]);

  const card = main.getByTestId("pairing-card");
  await expect(card).toContainText("Code Editor");
  await expect(card.getByTestId("pairing-code")).toBeHidden();
  await expect(card.getByTestId("pairing-program")).toBeHidden();
  await card.getByTestId("pairing-details").click();
  await expect(card.getByTestId("pairing-program")).toContainText(process.execPath);
  await expect(card.getByTestId("pairing-scope-shell:exec")).toBeChecked();
  await expect(card.getByTestId("pairing-scope-filesystem:write")).toBeChecked();
  const told = JSON.stringify(await client.callTool({ name: "request_permission" }));
  expect(told).toContain(await card.getByTestId("pairing-code").textContent());
  await card.getByTestId("pairing-scope-clipboard:write").setChecked(false);
  await card.getByTestId("pairing-accept").click();
  await expect(card).toHaveCount(0);
  await expect.poll(() => names(client)).toContain("read_file");
  expect(await names(client)).not.toContain("write_clipboard");

  const read = client.callTool({ name: "read_file", arguments: { path } });
  await stage.press("consent-allow-once");
  expect(await read).toMatchObject({ structuredContent: { content: "Buy milk.\n" } });

  const more = client.callTool({
    name: "request_permission",
    arguments: { permissions: ["clipboard:write"] },
  });
  await expect(card.getByTestId("pairing-scope-clipboard:write")).toBeVisible();
  await card.getByTestId("pairing-accept").click();
  expect(await more).toMatchObject({ isError: false });
  await expect.poll(() => names(client)).toContain("write_clipboard");

  const write = client.callTool({ name: "write_clipboard", arguments: { text: "x" } });
  await stage.press("consent-deny");
  expect(JSON.stringify(await write)).toContain("user_refused");
  await stage.open("agents");
  const added = main.getByTestId("agent-section").filter({ hasText: "Code Editor" });
  // It has no key, and nothing says so.
  await expect(added).toBeVisible();
  await expect(added.getByTestId("fingerprint")).toHaveCount(0);
  await client.close();
});
