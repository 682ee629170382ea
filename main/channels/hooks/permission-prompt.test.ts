import type { Client } from "@modelcontextprotocol/client";
import { beforeEach, expect, it } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { newClient } from "../mcp/testing/stdio-client.ts";

const PROMPT = "permission_prompt";

let client: LaunchedClient;
let mcp: Client;
beforeEach(async () => {
  client = await LaunchedClient.start();
  const flags = ["--no-start", "--permission-prompt"];
  mcp = await newClient({ dataDir: client.dataDir, config: scratchFolder(), flags });
  return () => mcp.close();
});

const ask = async (tool_name: string, input: JsonObject): Promise<unknown> => {
  const result = await mcp.callTool({
    name: PROMPT,
    arguments: { tool_name, input, tool_use_id: "use-1" },
  });
  const [said] = result.content as { type: "text"; text: string }[];
  return JSON.parse(said?.text ?? "");
};

it("answers in Claude Code's contract: this once with the input as it is, or no", async () => {
  const first = ask("Bash", { command: "make" });
  const { code } = await eventually(async () =>
    (await client.snapshot()).pairings.find(({ name }) => name === "Claude Code"),
  );
  await client.acceptPairing(code, ["agent:command"]);
  expect(await client.waitingCard()).toMatchObject({
    tool_name: "run_command",
    arguments: { line: "make", shell: "sh", directory: process.cwd() },
    decided_only: true,
  });
  await client.answer("allow_once");
  expect(await first).toEqual({ behavior: "allow", updatedInput: { command: "make" } });

  const second = ask("Bash", { command: "rm -r /" });
  await client.answer("deny");
  expect(await second).toEqual({
    behavior: "deny",
    message: expect.stringContaining("denied"),
  });
  expect(await ask("Task", { prompt: "x" })).toMatchObject({ behavior: "deny" });
  expect((await client.log()).map(({ status }) => status)).toEqual(["denied", "denied", "ok"]);
});

it("is offered only where it is asked for", async () => {
  const names = async (each: Client) => (await each.listTools()).tools.map(({ name }) => name);
  expect(await names(mcp)).toContain(PROMPT);
  const other = await newClient({ dataDir: client.dataDir, config: scratchFolder() });
  expect(await names(other)).not.toContain(PROMPT);
  await other.close();
});
