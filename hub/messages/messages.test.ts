import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { HubRig, messageTo } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig(), { onDisk: true });
const DAY_MS = 24 * 3_600_000;

function rows<Row>(sql: string): Row[] {
  const db = new Database(rig.file, { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

test("a message reaches the other member and is acknowledged to its sender", async () => {
  const { added, human, agent, conversation_id } = await rig.talk();
  agent.send({
    ...messageTo(conversation_id, "m1"),
    content_type: "artifact",
    msg_subtype: "artifact_tool_call",
  });
  const ack = await agent.next("message.ack");
  const delivered = await human.next("message.new");
  expect(ack).toEqual({
    type: "message.ack",
    client_message_id: "m1",
    message_id: delivered.message_id,
    conversation_id,
    conversation_seq: 1,
  });
  expect(delivered).toEqual({
    type: "message.new",
    conversation_id,
    conversation_type: "h2a",
    message_id: expect.any(String),
    sender_id: added.agentId,
    sender_type: "agent",
    content_type: "artifact",
    msg_subtype: "artifact_tool_call",
    encrypted_payload: "AGhp",
    conversation_seq: 1,
    created_at: "2026-01-01T00:00:00.000Z",
  });
  expect(agent.ofType("message.new")).toEqual([]);
});

test("a stranger to the conversation is refused", async () => {
  const added = await rig.addAgent();
  const other = await rig.addAgent();
  const agent = await rig.agent(added);
  agent.send(messageTo(other.relation.conversation_id, "m1"));
  agent.send(messageTo("no-such-conversation", "m2"));
  for (const id of ["m1", "m2"]) {
    const refused = await agent.next("message.refused");
    expect(refused).toMatchObject({ client_message_id: id, error: { code: "NOT_A_MEMBER" } });
  }
});

test("a message that was kept is acknowledged again to its sender alone, even while suspended", async () => {
  const { added, human, agent, conversation_id } = await rig.talk();
  const ack = await agent.says(conversation_id, "kept");
  await rig.asPerson("POST", `/h2a/relations/${added.relation.relation_id}/suspend`);
  expect(await agent.says(conversation_id, "kept")).toEqual(ack);
  const other = await rig.agent(await rig.addAgent());
  for (const [sender, id] of [
    [agent, "new"],
    [other, "kept"],
  ] as const) {
    sender.send(messageTo(conversation_id, id));
    expect((await sender.next("message.refused")).error).toMatchObject({ code: "NOT_A_MEMBER" });
  }
  await human.settled();
  expect(human.ofType("message.new")).toHaveLength(1);
});

test("after a revocation the person cannot send, and what waited for the agent is dropped", async () => {
  const added = await rig.addAgent();
  const human = await rig.human();
  await human.says(added.relation.conversation_id, "before");
  await rig.asPerson("DELETE", `/h2a/relations/${added.relation.relation_id}`);
  human.send(messageTo(added.relation.conversation_id, "after"));
  expect((await human.next("message.refused")).error).toMatchObject({ code: "NOT_A_MEMBER" });
  expect(rows("SELECT * FROM messages WHERE payload IS NOT NULL")).toEqual([]);
});

test("only the message named by message.received is not delivered again", async () => {
  const { added, human, agent, conversation_id } = await rig.talk();
  for (const id of ["a", "b", "c"]) human.send(messageTo(conversation_id, id));
  for (let index = 0; index < 3; index += 1) await agent.next("message.new");
  agent.send({ type: "message.received", conversation_id, conversation_seq: 2 });
  await agent.settled();
  agent.close();
  await human.next("agent.presence");
  const again = await rig.agent(added);
  expect((await again.next("message.new")).conversation_seq).toBe(1);
  expect((await again.next("message.new")).conversation_seq).toBe(3);
});

test("a message that everybody received keeps no payload, and no row after a day", async () => {
  const { human, agent, conversation_id } = await rig.talk();
  agent.send(messageTo(conversation_id, "m1", "AHNlY3JldA=="));
  await human.next("message.new");
  human.send({ type: "message.received", conversation_id, conversation_seq: 1 });
  await human.settled();
  await human.says(conversation_id, "flush");
  const sql = "SELECT client_message_id, payload FROM messages ORDER BY message_row";
  expect(rows(sql)).toEqual([
    { client_message_id: "m1", payload: null },
    { client_message_id: "flush", payload: "AGhp" },
  ]);
  rig.time.pass(DAY_MS + 3_600_000);
  expect(rows(sql)).toEqual([{ client_message_id: "flush", payload: "AGhp" }]);
});

test("undelivered messages, ids, tokens and sequence survive a restart of the hub", async () => {
  const added = await rig.addAgent();
  const human = await rig.human();
  const { conversation_id } = added.relation;
  for (const id of ["a", "b"]) human.send(messageTo(conversation_id, id));
  await human.next("message.ack");
  const second = await human.next("message.ack");
  const { userId } = rig.hub;
  const oldToken = rig.person;
  await rig.restart();
  expect(rig.hub.userId).toBe(userId);
  expect((await rig.rest("GET", "/h2a/relations", { token: oldToken })).status).toBe(200);
  const agent = await rig.agent(added);
  expect((await agent.next("message.new")).conversation_seq).toBe(1);
  expect((await agent.next("message.new")).conversation_seq).toBe(2);
  const back = await rig.human();
  expect(await back.says(conversation_id, "b")).toEqual(second);
});

test("what was sent in the last moment before closing is written", async () => {
  const added = await rig.addAgent();
  const human = await rig.human();
  human.send(messageTo(added.relation.conversation_id, "last"));
  await Promise.resolve();
  await rig.hub.close();
  expect(rows("SELECT client_message_id FROM messages")).toEqual([{ client_message_id: "last" }]);
});

test("stream frames are relayed with their sender and never stored", async () => {
  const { added, human, agent, conversation_id } = await rig.talk();
  const stream = { conversation_id, stream_id: "s" };
  agent.send({ type: "stream.start", ...stream });
  agent.send({ type: "stream.delta", ...stream, encrypted_payload: "AGE=", extra: 1 });
  await human.next("stream.start");
  expect(await human.next("stream.delta")).toEqual({
    type: "stream.delta",
    ...stream,
    encrypted_payload: "AGE=",
    sender_id: added.agentId,
  });
  expect(rows("SELECT * FROM messages")).toEqual([]);
});

test("a stream frame to somebody else's conversation reaches nobody", async () => {
  const added = await rig.addAgent();
  const other = await rig.addAgent();
  const human = await rig.human();
  const agent = await rig.agent(added);
  agent.send({
    type: "stream.start",
    conversation_id: other.relation.conversation_id,
    stream_id: "s",
  });
  agent.send({
    type: "stream.start",
    conversation_id: added.relation.conversation_id,
    stream_id: "own",
  });
  expect((await human.next("stream.start")).stream_id).toBe("own");
});

test("the database is readable by its owner only", () => {
  expect(statSync(rig.file).mode & 0o777).toBe(0o600);
});

test("a closed hub leaves no timer behind", async () => {
  await rig.human();
  rig.hub.connectHuman();
  await rig.hub.close();
  await rig.hub.close();
  expect(rig.time.pending).toBe(0);
});
