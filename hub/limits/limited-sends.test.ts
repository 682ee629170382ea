import { beforeEach, expect, test } from "vitest";
import { type AddedAgent, HubRig, messageTo, type RigOptions } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const WINDOW_MS = 60_000;
const LIMIT = 60;

const rig = ofEachTest(new HubRig());
let added: AddedAgent;
let agent: TestClient;
const meet = async (): Promise<void> => {
  added = await rig.addAgent();
  agent = await rig.agent(added);
};
beforeEach(meet);
const restart = (options: RigOptions) => rig.restart(options).then(meet);

const AS_CALL = { content_type: "artifact", msg_subtype: "artifact_tool_call" };
const callTo = (conversationId: string, id: string) => ({
  ...messageTo(conversationId, id),
  ...AS_CALL,
});

function sendCall(id: string, client: TestClient = agent): void {
  client.send(callTo(added.relation.conversation_id, id));
}

function called(id: string) {
  sendCall(id);
  return agent.next("message.ack");
}

async function spend(calls: number): Promise<void> {
  for (let at = 0; at < calls; at += 1) sendCall(`spent-${at}`);
  for (let at = 0; at < calls; at += 1) await agent.next("message.ack");
}

const postCall = (id: string, token: string = added.token) =>
  rig.rest("POST", `/conversations/${added.relation.conversation_id}/messages`, {
    token,
    body: { client_message_id: id, encrypted_payload: "AGhp", ...AS_CALL },
  });

test("the 61st call of a minute is refused with the time to wait, and takes no number", async () => {
  await spend(LIMIT);
  rig.time.pass(12_345);
  sendCall("over");
  expect((await agent.next("message.refused")).error).toEqual({
    code: "RATE_LIMITED",
    message: expect.any(String),
    i18n_key: "error.hub.rate_limited",
    params: {
      conversation_id: added.relation.conversation_id,
      retry_after: 48,
      retry_after_ms: 47_655,
    },
  });
  rig.time.pass(47_654);
  sendCall("over");
  expect(await agent.next("message.refused")).toMatchObject({
    error: { params: { retry_after: 1, retry_after_ms: 1 } },
  });
  rig.time.pass(1);
  expect(await called("over")).toMatchObject({ conversation_seq: LIMIT + 1 });
});

test("over REST it is HTTP 429, with the time to wait in two headers and the body", async () => {
  const taken = await postCall("first");
  expect([taken.status, taken.json.data]).toEqual([
    201,
    {
      client_message_id: "first",
      message_id: expect.any(String),
      conversation_id: added.relation.conversation_id,
      conversation_seq: 1,
    },
  ]);
  await spend(LIMIT - 1);
  const over = await postCall("over");
  expect(over.status).toBe(429);
  expect(over.headers).toMatchObject({ retry_after: "60", "retry-after": "60" });
  expect(over.json.error).toMatchObject({
    code: "RATE_LIMITED",
    params: { retry_after: 60, retry_after_ms: WINDOW_MS },
  });
});

test("of many calls at once on many connections exactly 60 are accepted", async () => {
  const posted = Promise.all(Array.from({ length: 70 }, (_, at) => postCall(`post-${at}`)));
  for (let at = 0; at < 70; at += 1) sendCall(`frame-${at}`);
  await agent.settled();
  const statuses = (await posted).map(({ status }) => status);
  const byFrame = agent.ofType("message.ack").length;
  expect(statuses.filter((status) => status === 201).length + byFrame).toBe(LIMIT);
  expect(statuses.filter((status) => status === 429).length).toBe(70 - (LIMIT - byFrame));
  expect(agent.ofType("message.refused")).toHaveLength(70 - byFrame);
});

test("the same message again is acknowledged and not counted", async () => {
  await spend(LIMIT - 1);
  for (let again = 0; again < 5; again += 1) sendCall("spent-0");
  for (let again = 0; again < 5; again += 1) await agent.next("message.ack");
  await called("last");
  expect(await called("spent-1")).toMatchObject({ conversation_seq: 2 });
  rig.time.pass(WINDOW_MS + 1);
  await called("last");
  for (let at = 0; at < LIMIT; at += 1) sendCall(`next-${at}`);
  for (let at = 0; at < LIMIT; at += 1) await agent.next("message.ack");
});

test("refused calls do not lengthen the wait", async () => {
  await spend(LIMIT);
  for (let at = 0; at < 100; at += 1) sendCall(`over-${at}`);
  rig.time.pass(WINDOW_MS);
  await called("after");
  expect(agent.ofType("message.refused").length).toBeLessThanOrEqual(100);
});

test("only tool calls count: texts, other artifacts and what the person sends do not", async () => {
  const { conversation_id } = added.relation;
  const human = await rig.human();
  for (let at = 0; at < 3 * LIMIT; at += 3) {
    agent.send(messageTo(conversation_id, `text-${at}`));
    agent.send({ ...messageTo(conversation_id, `other-${at}`), content_type: "artifact" });
    human.send(callTo(conversation_id, `human-${at}`));
  }
  await Promise.all([agent.settled(), human.settled()]);
  await spend(LIMIT);
  expect([agent, human].flatMap((client) => client.ofType("message.refused"))).toEqual([]);
});

test("each agent has its own minute, and a reconnect begins no new one", async () => {
  await spend(LIMIT);
  const other = await rig.addAgent();
  const others = await rig.agent(other);
  others.send(callTo(other.relation.conversation_id, "1"));
  await others.next("message.ack");
  const again = await rig.agent(added);
  sendCall("over", again);
  await again.next("message.refused");
});

test("setting the wall clock changes nothing", async () => {
  const monotonic = { now: () => 1_000 };
  await restart({ monotonic, limits: { toolCallsPerMinute: 1 } });
  await spend(1);
  rig.time.pass(WINDOW_MS + 1);
  sendCall("2");
  await agent.next("message.refused");
});

test("a hub may be told another number", async () => {
  await restart({ limits: { toolCallsPerMinute: LIMIT + 1 } });
  await spend(LIMIT + 1);
  sendCall("over");
  expect(await agent.next("message.refused")).toMatchObject({ client_message_id: "over" });
});

test("a message over REST is delivered like any other, and needs a member's token", async () => {
  const human = await rig.human();
  const path = `/conversations/${added.relation.conversation_id}/messages`;
  const body = { client_message_id: "m", content_type: "text", encrypted_payload: "AGhp" };
  const first = await rig.rest("POST", path, { token: added.token, body });
  expect(await human.next("message.new")).toMatchObject({
    sender_id: added.agentId,
    sender_type: "agent",
    conversation_seq: 1,
  });
  const again = await rig.rest("POST", path, { token: added.token, body });
  expect(again.json.data).toEqual(first.json.data);
  await rig.asPerson("POST", path, body);
  expect(await agent.next("message.new")).toMatchObject({ sender_id: rig.hub.userId });
  const stranger = await rig.addAgent();
  const refused = [
    await rig.rest("POST", path, { token: stranger.token, body }),
    await rig.rest("POST", path, { token: `hsk_${"a".repeat(40)}`, body }),
    await rig.rest("POST", path, { body }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 401, 401]);
});
