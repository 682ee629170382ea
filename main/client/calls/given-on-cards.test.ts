import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { RootTerms } from "../../../app/bridge/calls.ts";
import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import type { Answer } from "../../../app/contract/consent-request.ts";
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

/** Answers a request, with this given. */
async function give(card: ConsentCard, terms: Partial<RootTerms>, answer: Answer = "allow_once") {
  const { request_id } = card;
  await client.call("consent.opened", { request_id });
  client.time.jump(LIMITS.approvalInertMs);
  const root_terms = { ...TERMS, ...terms };
  await client.call("consent.answer", { request_id, answer, root_path: folder, root_terms });
}

/** Reads and allows it once, with this given. */
async function given(path: string, terms: Partial<RootTerms>) {
  const answer = read(path);
  await give(await client.waitingCard(), terms);
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

it("a folder that stays for reading does so when the time to change it has ended, unless it is removed, and is exported meanwhile", async () => {
  const scope = "filesystem:write";
  const writer = await client.addAgent([scope], "Writer", highManifest({ write_file: scope }));
  const { id: agent_id } = writer;
  const held = async () => (await client.card(writer)).roots;
  const toRead = { agent_id, path: folder, access: "read" } as const;
  await client.call("permissions.add_root", toRead);
  const lasting = await held();
  const write = async (time: RootTerms["time"]) => {
    const answer = writer.call("write_file", { path: notes, content: time });
    const { request_id } = await client.waitingCard();
    await client.call("consent.opened", { request_id });
    await client.call("consent.read", { request_id });
    client.time.jump(LIMITS.approvalInertMs);
    const root_terms: RootTerms = { only_file: false, access: "read_write", time };
    const given = { answer: "allow_once", root_path: folder, root_terms } as const;
    await client.call("consent.answer", { request_id, ...given });
    expect(await answer).toHaveProperty("result");
    expect(await held()).toMatchObject([{ path: folder, access: "read_write" }]);
  };
  await write("minutes");
  await client.call("data.export", {});
  const exported = client.host.delivered
    .at(-1)
    ?.text.split("\n")
    .find((line) => line.includes('"Writer"'));
  expect(JSON.parse(exported ?? "").roots).toMatchObject([
    { path: folder, access: "read" },
    { path: folder, access: "read_write", ends_at: expect.any(Number) },
  ]);
  client.time.jump(LIMITS.ruleMinutesMs);
  expect(await held()).toEqual(lasting);
  await write("minutes");
  const [{ root_id = "" } = {}] = await held();
  await client.call("permissions.remove_root", { agent_id, root_id });
  expect(await held()).toEqual([]);

  await client.call("permissions.add_root", toRead);
  const again = await held();
  await write("minutes");
  await client.call("permissions.add_root", toRead);
  await write("always");
  client.time.jump(LIMITS.ruleMinutesMs);
  expect(await held()).toMatchObject([{ access: "read_write", ends_at: null }]);

  await client.call("permissions.add_root", toRead);
  await write("task");
  await client.restart();
  expect(await held()).toEqual(again);
});

describe("a folder that another answer opened", () => {
  /** Both wait, in this order. */
  async function readBoth() {
    const first = read(notes);
    const card = await client.waitingCard();
    const second = read(join(folder, "b.md"));
    const [, other] = await client.cards(2);
    return { first, card, second, other };
  }

  it("is not asked for again by what waits, and keeps the time that was chosen for it", async () => {
    const { first, card, second, other } = await readBoth();
    await give(card, { time: "minutes" });
    expect(await first).toMatchObject({ result: { content: "a.md" } });
    expect(await client.cards(1)).toMatchObject([
      { request_id: other?.request_id, root_wanted: null },
    ]);
    await client.answer("allow_once");
    expect(await second).toMatchObject({ result: { content: "b.md" } });
    client.time.jump(LIMITS.ruleMinutesMs);
    expect(await roots()).toEqual([]);
  });

  it("is read without a question within the quiet period that began with it", async () => {
    const { first, card, second } = await readBoth();
    await give(card, {}, "allow_in_conversation");
    expect([await first, await second]).toMatchObject([
      { result: { content: "a.md" } },
      { result: { content: "b.md" } },
    ]);
  });

  it("is still asked for where only its file was given", async () => {
    const { first, card, second } = await readBoth();
    await give(card, { only_file: true });
    await first;
    expect(await client.cards(1)).toMatchObject([{ root_wanted: { suggested_path: folder } }]);
    await client.answer("deny");
    await second;
  });
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
