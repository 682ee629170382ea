import { beforeEach, expect, test } from "vitest";
import { type AddedAgent, HubRig, messageTo } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig(), { onDisk: true });
let added: AddedAgent;
let human: TestClient;
let agent: TestClient;
let conversation_id: string;
beforeEach(async () => {
  ({ added, human, agent, conversation_id } = await rig.talk());
  for (const id of ["a", "b", "c"]) human.send(messageTo(conversation_id, id));
  for (let nth = 0; nth < 3; nth += 1) await agent.next("message.new");
});

const mark = (seq: number) => ({ type: "message.read", conversation_id, seq });
const marks = (client: TestClient) =>
  client.ofType("message.read").map(({ user_id, seq }) => [user_id, seq]);

test("a read mark is told to the other members and the person's other connections, not to its sender", async () => {
  const second = await rig.human();
  agent.send(mark(2));
  expect(await human.next("message.read")).toEqual({ ...mark(2), user_id: added.agentId });
  human.send(mark(3));
  for (const client of [agent, second]) await client.next("message.read");
  await Promise.all([human.settled(), agent.settled()]);
  expect(marks(agent)).toEqual([[rig.hub.userId, 3]]);
  expect(marks(human)).toEqual([[added.agentId, 2]]);
  expect(marks(second)).toEqual([
    [added.agentId, 2],
    [rig.hub.userId, 3],
  ]);
});

test("positions are kept across a restart and sent after a reconnect, before any message", async () => {
  agent.send(mark(2));
  human.send(mark(1));
  await Promise.all([human.next("message.read"), agent.next("message.read")]);
  await rig.restart();
  const back = await rig.agent(added);
  await back.next("message.new");
  expect(marks(back)).toEqual([[rig.hub.userId, 1]]);
  const types = back.frames.map(({ type }) => type);
  expect(types.indexOf("message.read")).toBeLessThan(types.indexOf("message.new"));
  const person = await rig.human();
  await person.settled();
  expect(marks(person)).toEqual([
    [rig.hub.userId, 1],
    [added.agentId, 2],
  ]);
});

test("what is read still waits until it is reported received", async () => {
  agent.send(mark(3));
  await human.next("message.read");
  agent.close();
  const again = await rig.agent(added);
  for (const seq of [1, 2, 3]) {
    expect(await again.next("message.new")).toMatchObject({ conversation_seq: seq });
    again.send({ type: "message.received", conversation_id, conversation_seq: seq });
  }
  await again.settled();
  const { json } = await rig.asPerson("GET", `/conversations/${conversation_id}`);
  expect(json.data).toMatchObject({ last_seq: 3, read_seq: 0 });
  expect(json.data.members.map((each: { read_seq: number }) => each.read_seq)).toEqual([0, 3]);
});

test("REST can mark too, for members only", async () => {
  const path = `/conversations/${conversation_id}/read`;
  const { token } = added;
  const kept = await rig.rest("POST", path, { token, body: { seq: 9 } });
  expect(kept.json.data).toEqual({ conversation_id, user_id: added.agentId, seq: 3 });
  expect(await human.next("message.read")).toMatchObject({ seq: 3 });
  const again = await rig.rest("POST", path, { token, body: { seq: 1 } });
  expect(again.json.data.seq).toBe(3);
  const stranger = await rig.addAgent();
  const refused = await rig.rest("POST", path, { token: stranger.token, body: { seq: 1 } });
  expect([refused.status, refused.json.error.code]).toEqual([404, "NOT_FOUND"]);
  const zero = await rig.rest("POST", path, { token, body: { seq: 0 } });
  expect(zero.status).toBe(400);
  const outsider = await rig.agent(stranger);
  outsider.send(mark(1));
  await outsider.settled();
  await human.settled();
  expect(marks(human)).toEqual([[added.agentId, 3]]);
});
