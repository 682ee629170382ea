import { it } from "vitest";
import { digestOf } from "../../../app/contract/digest.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { hookManifest } from "../hooks/hook-channel.ts";
import { AskingHook } from "../hooks/testing/asking-hook.ts";
import { LocalAgent } from "../mcp/testing/local-agent.ts";
import { catalogueManifest } from "../mcp/tool-offers.ts";

const digest = (manifest: object): string => digestOf(manifest as JsonValue);

it.each([
  ["an MCP client", (client: LaunchedClient) => new LocalAgent(client), catalogueManifest()],
  [
    "an agent with hooks",
    (client: LaunchedClient) => new AskingHook(client, scratchFolder()),
    hookManifest(),
  ],
] as const)("%s has the manifest of the program that runs", async (_, agentOf, manifest) => {
  const client = await LaunchedClient.start();
  await agentOf(client).paired([manifest.permission_scopes[0]?.id ?? ""]);
  const older = { ...manifest, agent_version: "0.0.1" };
  await client.restart(() =>
    client.inDatabase((db) =>
      db
        .prepare(
          `UPDATE agents SET manifest = @text, manifest_hash = @hash,
             reviewed_manifest = @text, reviewed_hash = @hash`,
        )
        .run({ text: JSON.stringify(older), hash: digest(older) }),
    ),
  );
  await eventually(async () => {
    const [card] = (await client.snapshot()).agents;
    return card?.agent_version === manifest.agent_version ? card : undefined;
  });
});
