import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { call, intent, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const reserve = () => `${scratch.file}.reserve`;

it("gives its space back at the first write that fails, and writing counts as possible once it has it again", async () => {
  const { store } = scratch.open({ reserve: true });
  const heard: boolean[] = [];
  store.onWritable((isWritable) => heard.push(isWritable));
  expect([store.isWritable(), existsSync(reserve())]).toEqual([true, true]);
  scratch.sql(
    "CREATE TRIGGER no_room BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ROLLBACK, 'full'); END",
  );
  await expect(store.ledger.recordIntent(intent(call("a")))).rejects.toMatchObject({
    code: "store_unwritable",
  });
  expect([store.ledger.canRecord(), existsSync(reserve()), heard]).toEqual([false, false, [false]]);
  expect(await store.tryWriting()).toBe(true);
  expect([store.isWritable(), existsSync(reserve()), heard]).toEqual([true, true, [false, true]]);
});
