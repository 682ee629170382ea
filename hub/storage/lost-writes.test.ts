import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import type { HubRecovery } from "../hub-options.ts";
import { HubRig, messageTo } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const scratch = ScratchFolder.forEachTest();
const rig = ofEachTest(new HubRig(), { onDisk: true });

/** What a crash at this moment would leave of the files with these endings. */
function crashed(...endings: readonly string[]): string {
  const copy = join(scratch.base, "hub.db");
  for (const ending of endings) {
    if (existsSync(rig.file + ending)) copyFileSync(rig.file + ending, copy + ending);
  }
  return copy;
}

test("what was delivered but not stored when the hub crashed comes again under the same id and a new number", async () => {
  const { added, human, agent, conversation_id } = await rig.talk();
  agent.send(messageTo(conversation_id, "stored"));
  await agent.next("message.ack");
  agent.send(messageTo(conversation_id, "lost"));
  const first = await human.next("message.new");
  const lost = await human.next("message.new");
  const file = crashed("", "-wal", ".copy", ".copy-wal");
  const db = new Database(file, { readonly: true });
  const stored = db.prepare("SELECT message_id FROM messages").pluck().all();
  db.close();
  expect(stored).toEqual([first.message_id]);
  await rig.restart({ databasePath: file });
  const [person, again] = [await rig.human(), await rig.agent(added)];
  again.send(messageTo(conversation_id, "lost"));
  await person.next("message.new");
  const resent = await person.next("message.new");
  expect(resent.message_id).toBe(lost.message_id);
  expect(resent.conversation_seq).toBeGreaterThan(Number(lost.conversation_seq));
});

test("after the hub was closed, numbers go on without a gap", async () => {
  const { added, agent, conversation_id } = await rig.talk();
  agent.send(messageTo(conversation_id, "m1"));
  await agent.next("message.ack");
  await rig.restart();
  const again = await rig.agent(added);
  again.send(messageTo(conversation_id, "m2"));
  expect(await again.next("message.ack")).toMatchObject({ conversation_seq: 2 });
});

test("a hub that dies when only one of its two files knows of its closing still has what waits", async () => {
  const { human, agent, conversation_id } = await rig.talk();
  human.close();
  await agent.says(conversation_id, "waits");
  crashed(".copy", ".copy-wal");
  await rig.hub.close();
  const told: HubRecovery[] = [];
  const recovered = (recovery: HubRecovery) => told.push(recovery);
  await rig.restart({ databasePath: crashed(""), recovered });
  expect(told).toEqual([]);
  const person = await rig.human();
  expect(await person.next("message.new")).toMatchObject({ conversation_seq: 1 });
});
