import { expect, it } from "vitest";
import { client, launchForEachTest } from "../testing/each-test.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { MANIFEST } from "../testing/test-manifest.ts";

launchForEachTest();

const check = (text: string) => client.call("manifest.check_new", { text });

it("shows what a pasted manifest asks for, with the hash that the agent will have", async () => {
  const agent = await client.addAgent();
  const text = JSON.stringify(MANIFEST, null, 2);
  const view = await check(text);
  expect(view).toMatchObject({ problems: [], bytes: Buffer.byteLength(text) });
  expect(view.asks?.scopes.map(({ id, sensitivity }) => [id, sensitivity])).toEqual([
    ["notification:send", "low"],
    ["filesystem:read", "medium"],
    ["clipboard:write", "medium"],
    ["clipboard:read", "high"],
  ]);
  const { digest } = await client.call("agents.differences", { agent_id: agent.id });
  expect(view.asks?.digest).toBe(digest);
});

it("names every problem with its place, and keeps nothing of the text", async () => {
  const faulty = { ...MANIFEST, schema_version: "2.0", agent_version: "a version like no other" };
  const { problems, asks } = await check(JSON.stringify(faulty, null, 2));
  expect(asks).toBeNull();
  expect(problems.slice(0, 2)).toMatchObject([
    { code: "schema_version_unsupported", pointer: "/schema_version", line: 2 },
    { code: "agent_version_not_semver", pointer: "/agent_version", line: 3 },
  ]);
  expect(filesContaining(client.dataDir, "a version like no other")).toEqual([]);
});

it("shows where a text stops being JSON", async () => {
  const { problems } = await check('{\n  "tools": [,]\n}');
  expect(problems).toMatchObject([{ code: "not_strict_json", line: 2, column: 13 }]);
});
