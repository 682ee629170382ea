import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { agent, agentReturns, client, connectForEachTest } from "../testing/each-test.ts";

connectForEachTest();

let given: string;
let around: string;
beforeEach(async () => {
  around = join(realpathSync(dirname(client.anchors)), "places");
  given = join(around, "given");
  mkdirSync(given, { recursive: true });
  await client.call("permissions.add_root", { agent_id: agent.id, path: given, access: "read" });
});

const OUTSIDE = { refused: "outside_roots" };
const read = (path: string) => agent.call("read_file", { path });
const tried = async () => (await client.card(agent)).tried_folders;
const folder = (name: string) => join(around, name);

it("a folder that an agent tried is named once, until it is given or ignored with all below it", async () => {
  expect(await tried()).toEqual([]);
  for (const file of ["a", "b"]) expect(await read(join(folder("one"), file))).toEqual(OUTSIDE);
  await read(join(folder("two"), "a"));
  expect(await tried()).toEqual([folder("one"), folder("two")]);

  await client.call("permissions.ignore_folder", { agent_id: agent.id, path: folder("one") });
  expect(await tried()).toEqual([folder("two")]);
  await read(join(folder("one"), "deeper", "a"));
  expect(await tried()).toEqual([folder("two")]);

  mkdirSync(folder("two"));
  writeFileSync(join(folder("two"), "a"), "");
  const wanted = { agent_id: agent.id, path: folder("two"), access: "read" } as const;
  await client.call("permissions.add_root", wanted);
  expect(await tried()).toEqual([]);
});

it("names few folders of one agent, however many it tries and the person ignores", async () => {
  for (let at = 0; at < 6; at += 1) await read(join(folder(`f${at}`), "a"));
  expect(await tried()).toHaveLength(LIMITS.triedFolders);
  for (const path of await tried()) {
    await client.call("permissions.ignore_folder", { agent_id: agent.id, path });
  }
  for (let at = 0; at < 6; at += 1) await read(join(folder(`g${at}`), "a"));
  expect(await tried()).toEqual([]);
});

it("names none of our own folders", async () => {
  await read(join(client.dataDir, "consentry.db"));
  expect(await tried()).toEqual([]);
});

it("ignores a folder across restarts", async () => {
  const path = folder("one");
  await client.call("permissions.ignore_folder", { agent_id: agent.id, path });
  await client.restart();
  await agentReturns();
  await read(join(path, "a"));
  expect(await tried()).toEqual([]);
});
