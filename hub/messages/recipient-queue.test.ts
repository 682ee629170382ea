import { beforeEach, expect, test } from "vitest";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import { openDatabase } from "../storage/open-database.ts";
import { queueRows } from "../storage/queue-rows.ts";
import { type AddedAgent, HubRig, messageTo } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());
let added: AddedAgent;
let human: TestClient;
beforeEach(async () => {
  added = await rig.addAgent();
  human = await rig.human();
});

/** The person writes to the agent until its queue is full. */
async function fill(): Promise<string> {
  const { conversation_id } = added.relation;
  for (let index = 1; index <= UNDELIVERED_AT_MOST; index += 1) {
    human.send(messageTo(conversation_id, `m${index}`));
  }
  for (let index = 1; index <= UNDELIVERED_AT_MOST; index += 1) await human.next("message.ack");
  return conversation_id;
}

test("a message for a recipient whose queue is full is refused, and takes no number", async () => {
  const conversation_id = await fill();
  human.send(messageTo(conversation_id, "over"));
  expect(await human.next("message.refused")).toMatchObject({
    client_message_id: "over",
    error: { code: "RECIPIENT_QUEUE_FULL", params: { conversation_id } },
  });
  const agent = await rig.agent(added);
  agent.send({ type: "message.received", conversation_id, conversation_seq: 1 });
  agent.send({ type: "message.received", conversation_id, conversation_seq: 1 });
  await agent.settled();
  human.send(messageTo(conversation_id, "over"));
  const seq = UNDELIVERED_AT_MOST + 1;
  expect(await human.next("message.ack")).toMatchObject({ conversation_seq: seq });
  human.send(messageTo(conversation_id, "over again"));
  expect(await human.next("message.refused")).toMatchObject({ client_message_id: "over again" });
});

test("a resend of what the hub has is acknowledged also when the queue is full", async () => {
  const conversation_id = await fill();
  expect(await human.says(conversation_id, "m1")).toMatchObject({ conversation_seq: 1 });
});

test("a full queue is one recipient's in one conversation", async () => {
  const conversation_id = await fill();
  const other = await rig.addAgent();
  await human.says(other.relation.conversation_id, "to another");
  const agent = await rig.agent(added);
  await agent.says(conversation_id, "the other way");
  const made = await rig.group(added);
  await human.says(made.json.data.conversation_id, "to the group");
});

test("a group message that one member's full queue refuses counts for nobody", () => {
  const { db } = openDatabase(":memory:", Date.now());
  const queues = queueRows(db);
  const grow = (who: readonly string[]) =>
    Array.from({ length: UNDELIVERED_AT_MOST }, () => queues.grew(who, "group"));
  expect(grow(["slow"])).not.toContain(false);
  expect(grow(["quick", "slow"])).not.toContain(true);
  expect(grow(["quick"])).not.toContain(false);
  expect(queues.grew(["quick"], "group")).toBe(false);
  db.close();
});

test("a queue that was dropped with the relation starts over with it", async () => {
  const conversation_id = await fill();
  await rig.asPerson("DELETE", `/h2a/relations/${added.relation.relation_id}`);
  await rig.asPerson("POST", "/h2a/relations", { agent_id: added.agentId, granted_scopes: [] });
  await human.says(conversation_id, "again");
});
