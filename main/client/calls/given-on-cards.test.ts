import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { RootTerms } from "../../../app/bridge/calls.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { agent, agentReturns, client, connectForEachTest } from "../testing/each-test.ts";
import { highManifest } from "../testing/test-manifest.ts";

connectForEachTest();

let folder: string;
let notes: string;
beforeEach(() => {
  folder = join(realpathSync(dirname(client.anchors)), "notes");
  mkdirSync(folder, { recursive: true });
  for (const name of ["a.md", "b.md"]) writeFileSync(join(folder, name), name);
  notes = join(folder, "a.md");
});

const TERMS: RootTerms = { only_file: false, access: "read", time: "always" };
const read = (path: string) => agent.call("read_file", { path });
const roots = async () => (await client.card(agent)).roots;

/** Reads and allows it once, with this given. */
async function given(path: string, terms: Partial<RootTerms>, root_path = folder) {
  const answer = read(path);
  const { request_id } = await client.waitingCard();
  await client.call("consent.opened", { request_id });
  client.time.jump(LIMITS.approvalInertMs);
  const root_terms = { ...TERMS, ...terms };
  await client.call("consent.answer", { request_id, answer: "allow_once", root_path, root_terms });
  return await answer;
}

it("for one request only, a folder is used by that call and not kept", async () => {
  expect(await given(notes, { time: "once" })).toMatchObject({ result: { content: "a.md" } });
  expect(await roots()).toEqual([]);
  expect(await given(join(folder, "b.md"), { time: "once" })).toMatchObject({
    result: { content: "b.md" },
  });
});

it("a file alone is given, and its neighbour is asked for", async () => {
  expect(await given(notes, { only_file: true })).toMatchObject({ result: { content: "a.md" } });
  expect(await roots()).toMatchObject([{ path: notes, only_file: true, access: "read" }]);
  const other = read(join(folder, "b.md"));
  expect((await client.waitingCard()).root_wanted?.suggested_path).toBe(folder);
  await client.answer("deny");
  await other;
});

it("what is given for a time ends with it, and what is given for a task with the program", async () => {
  await given(notes, { time: "minutes", access: "read_write" });
  expect(await roots()).toMatchObject([{ path: folder, access: "read_write" }]);
  client.time.jump(LIMITS.ruleMinutesMs);
  expect(await roots()).toEqual([]);

  await given(notes, { time: "task" });
  expect(await roots()).toMatchObject([{ for_task: true }]);
  await client.restart();
  await agentReturns();
  expect(await roots()).toEqual([]);
});

it("a file that the call does not name cannot be given", async () => {
  const scope = "filesystem:read";
  const lister = await client.addAgent([scope], "Lister", highManifest({ list_directory: scope }));
  const answer = lister.call("list_directory", { path: folder });
  const { request_id, root_wanted } = await client.waitingCard();
  expect(root_wanted?.file).toBeNull();
  await client.call("consent.opened", { request_id });
  await client.call("consent.read", { request_id });
  client.time.jump(LIMITS.approvalInertMs);
  const root_terms = { ...TERMS, only_file: true };
  const wanted = { request_id, answer: "allow_once", root_path: folder, root_terms } as const;
  await expect(client.call("consent.answer", wanted)).rejects.toThrow("not_offered");
  await client.answer("deny");
  await answer;
});
