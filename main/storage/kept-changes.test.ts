import { expect, it } from "vitest";
import { LIMITS } from "../../app/contract/limits.ts";
import type { KeptCall, KeptChanges } from "./kept-changes.ts";
import { NOW, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const KEY = new Uint8Array(32).fill(7);
const HALF_DAY = 12 * 3_600_000;

const kept = (call_id: string | null, path = "/home/ada/note.txt"): KeptCall => ({
  agent_id: "agent-1",
  call_id,
  conversation_id: "talk",
  tool_name: "write_file",
  scope: "filesystem:write",
  taken_back: false,
  effects: [
    { rootPath: "/home/ada", path, before: "sha256:1", mode: 0o644, kept: true, after: null },
  ],
});

const add = (changes: KeptChanges, call: string | null, bytes: Uint8Array, at = NOW) =>
  changes.add(kept(call), at, [bytes]);

it("opens with its key alone, and only in its place", async () => {
  const { store } = scratch.open();
  const changes = store.keptChanges(KEY);
  const one = await add(changes, "one", Buffer.from("what was"));
  const two = await add(changes, "two", Buffer.from("what else was"));
  expect(changes.of("agent-1", "one")).toMatchObject({ kept_id: one, effects: [{ mode: 0o644 }] });
  expect(Buffer.from(changes.content(one, 0) ?? []).toString()).toBe("what was");
  const other = store.keptChanges(new Uint8Array(32).fill(8));
  expect([other.of("agent-1", "one"), other.content(one, 0)]).toEqual([null, null]);
  scratch.sql(
    `UPDATE kept_contents SET sealed = (SELECT sealed FROM kept_contents WHERE kept_id = ${one})
       WHERE kept_id = ${two}`,
  );
  expect(changes.content(two, 0)).toBeNull();
});

it("lists the later ones of the same conversation, without what nobody has reported", async () => {
  const changes = scratch.open().store.keptChanges(KEY);
  await add(changes, "one", new Uint8Array());
  await add(changes, "two", new Uint8Array());
  await add(changes, null, new Uint8Array());
  await changes.add({ ...kept("other"), conversation_id: "another" }, NOW, [null]);
  await add(changes, "three", new Uint8Array());
  const two = changes.of("agent-1", "two");
  expect(two && changes.since(two).map(({ call_id }) => call_id)).toEqual(["three", "two"]);
});

it("keeps so many bytes in all: the oldest goes first", async () => {
  const changes = scratch.open().store.keptChanges(KEY);
  const eighth = new Uint8Array(LIMITS.keptFileBytes);
  const fits = LIMITS.keptFilesBytes / LIMITS.keptFileBytes;
  for (let at = 0; at <= fits; at += 1) await add(changes, `call-${at}`, eighth);
  expect(changes.of("agent-1", "call-0")).toBeNull();
  expect(changes.of("agent-1", "call-1")).not.toBeNull();
  expect(changes.of("agent-1", `call-${fits}`)).not.toBeNull();
});

it("is gone after a week, by the time that really passed", async () => {
  const { store } = scratch.open();
  const changes = store.keptChanges(KEY);
  await add(changes, "one", Buffer.from("what was"), store.clock.safeNow());
  const pass = async (ms: number) => {
    scratch.monotonic += ms;
    scratch.wall += ms;
    await store.maintain();
  };
  await pass(LIMITS.keptFilesMs - HALF_DAY);
  expect(changes.of("agent-1", "one")).not.toBeNull();
  await pass(2 * HALF_DAY);
  expect(changes.of("agent-1", "one")).toBeNull();
  expect(changes.content(1, 0)).toBeNull();
});
