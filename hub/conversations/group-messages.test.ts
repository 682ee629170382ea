import { beforeEach, expect, test } from "vitest";
import { type AddedAgent, HubRig, messageTo } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";
import { WebhookEndpoint } from "../testing/webhook-endpoint.ts";

const rig = ofEachTest(new HubRig(), { onDisk: true });
let agents: AddedAgent[];
let human: TestClient;
let conversation_id: string;
beforeEach(async () => {
  agents = [await rig.addAgent(), await rig.addAgent(), await rig.addAgent()];
  human = await rig.human();
  ({ conversation_id } = (await rig.group(...agents)).json.data);
});

const nth = (at: number): AddedAgent => agents[at] as AddedAgent;
const suspend = (agent: AddedAgent, change: "suspend" | "restore") =>
  rig.asPerson("POST", `/h2a/relations/${agent.relation.relation_id}/${change}`);

/** The messages of the group, as this client got them, each once. */
async function heard(client: TestClient, count: number) {
  const seen: (readonly [number, unknown])[] = [];
  while (seen.length < count) {
    const frame = await client.next("message.new");
    expect(frame.conversation_type).toBe("group");
    seen.push([Number(frame.conversation_seq), frame.message_id]);
  }
  return seen;
}

test("messages written at once reach all others in one order, each once", async () => {
  const clients = [human, ...(await Promise.all(agents.map((agent) => rig.agent(agent))))];
  const each = 25;
  for (let index = 0; index < each; index += 1) {
    for (const client of clients) client.send(messageTo(conversation_id, `m${index}`));
  }
  // A resend is the same message.
  for (const client of clients) client.send(messageTo(conversation_id, "m0"));
  const numbers = new Map<number, unknown>();
  for (const client of clients) {
    const seen = await heard(client, each * 3);
    const seqs = seen.map(([seq]) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    for (const [seq, id] of seen) {
      expect(numbers.get(seq) ?? id).toBe(id);
      numbers.set(seq, id);
    }
    await client.settled();
    expect(client.ofType("message.new")).toHaveLength(each * 3);
  }
  expect([...numbers.keys()].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: each * 4 }, (_, at) => at + 1),
  );
});

test("each member has its own queue: what one has received still waits for another", async () => {
  const quick = await rig.agent(nth(0));
  human.send(messageTo(conversation_id, "a"));
  human.send(messageTo(conversation_id, "b"));
  for (const seq of (await heard(quick, 2)).map(([number]) => number)) {
    quick.send({ type: "message.received", conversation_id, conversation_seq: seq });
  }
  await quick.settled();
  quick.close();
  expect((await heard(await rig.agent(nth(1)), 2)).map(([seq]) => seq)).toEqual([1, 2]);
  const again = await rig.agent(nth(0));
  await again.settled();
  expect(again.ofType("message.new")).toEqual([]);
});

test("after a restart each member still gets what it has not received, and a resend is the same message", async () => {
  const quick = await rig.agent(nth(0));
  human.send(messageTo(conversation_id, "a"));
  await human.says(conversation_id, "b");
  const acked = await human.next("message.ack");
  await heard(quick, 2);
  quick.send({ type: "message.received", conversation_id, conversation_seq: 1 });
  await quick.settled();
  await rig.restart();
  human = await rig.human();
  expect(await human.says(conversation_id, "b")).toEqual(acked);
  await human.says(conversation_id, "c");
  const waiting = [
    [nth(0), [2, 3]],
    [nth(1), [1, 2, 3]],
    [nth(2), [1, 2, 3]],
  ] as const;
  for (const [agent, seqs] of waiting) {
    const client = await rig.agent(agent);
    expect((await heard(client, seqs.length)).map(([seq]) => seq)).toEqual(seqs);
    await client.settled();
    expect(client.ofType("message.new")).toHaveLength(seqs.length);
  }
});

test("new members get messages from then on", async () => {
  await human.says(conversation_id, "before");
  const late = await rig.addAgent();
  const client = await rig.agent(late);
  const path = `/conversations/${conversation_id}/members`;
  await rig.asPerson("POST", path, { agent_ids: [late.agentId] });
  human.send(messageTo(conversation_id, "after"));
  expect((await heard(client, 1)).map(([seq]) => seq)).toEqual([2]);
});

test("a suspended agent neither sends nor receives, not even what waited; restored, it gets that", async () => {
  await human.says(conversation_id, "waits");
  await suspend(nth(0), "suspend");
  const agent = await rig.agent(nth(0));
  const other = await rig.agent(nth(1));
  await other.says(conversation_id, "not for you");
  agent.send(messageTo(conversation_id, "mine"));
  expect((await agent.next("message.refused")).error).toMatchObject({ code: "NOT_A_MEMBER" });
  agent.send({ type: "typing.start", conversation_id });
  await agent.settled();
  expect(agent.ofType("message.new")).toEqual([]);
  expect(agent.ofType("group.updated")).toEqual([]);
  const path = `/conversations/${conversation_id}`;
  expect((await rig.rest("GET", path, { token: nth(0).token })).status).toBe(404);
  const shown = await rig.asPerson("GET", path);
  expect(shown.json.data.members).toContainEqual(
    expect.objectContaining({ member_id: nth(0).agentId, status: "suspended" }),
  );
  await suspend(nth(0), "restore");
  expect((await agent.next("group.updated")).payload).toMatchObject({ change: "current" });
  rig.time.pass(1);
  expect((await heard(agent, 1)).map(([seq]) => seq)).toEqual([1]);
  human.send(messageTo(conversation_id, "again"));
  expect((await heard(agent, 1)).map(([seq]) => seq)).toEqual([3]);
  expect(other.ofType("typing.start")).toEqual([]);
});

test("a suspended webhook agent is posted nothing that waited until it is restored", async () => {
  const endpoint = await WebhookEndpoint.open();
  try {
    await human.says(conversation_id, "waits");
    await suspend(nth(0), "suspend");
    const change = { connection_mode: "webhook", webhook_url: endpoint.url };
    await rig.patch(nth(0), change);
    const path = `/h2a/relations/${nth(0).relation.relation_id}`;
    await rig.asPerson("PATCH", path, { granted_scopes: [] });
    await endpoint.nth(1);
    expect(endpoint.types).toEqual(["relation.updated"]);
    await suspend(nth(0), "restore");
    await endpoint.nth(3);
    expect(endpoint.types.toSorted()).toEqual([
      "message.new",
      "relation.restored",
      "relation.updated",
    ]);
  } finally {
    await endpoint.close();
  }
});

test("a revoked agent is no longer in its groups, even when it is added again", async () => {
  const { relation_id } = nth(0).relation;
  const agent = await rig.agent(nth(0));
  await agent.next("group.updated");
  await rig.asPerson("DELETE", `/h2a/relations/${relation_id}`);
  await human.next("group.updated");
  expect((await human.next("group.updated")).payload).toMatchObject({
    change: "members_removed",
    member_ids: [nth(0).agentId],
    member_count: 3,
    by: rig.hub.userId,
  });
  const again = { agent_id: nth(0).agentId, granted_scopes: [] };
  await rig.asPerson("POST", "/h2a/relations", again);
  const back = await rig.agent(nth(0));
  await human.says(conversation_id, "without it");
  await back.settled();
  expect(back.ofType("message.new")).toEqual([]);
  expect(back.ofType("group.updated")).toEqual([]);
  expect(agent.ofType("group.updated")).toHaveLength(1);
});
