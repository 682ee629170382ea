import { beforeEach, expect, test } from "vitest";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import { type AddedAgent, HubRig } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());
let added: AddedAgent;
let human: TestClient;
beforeEach(async () => {
  added = await rig.addAgent();
  human = await rig.human();
});

const switchTo = (body: object) =>
  rig.rest("PATCH", `/agents/${added.agentId}`, { token: added.token, body });
const WEBHOOK = { connection_mode: "webhook", webhook_url: "http://127.0.0.1:9/" };
const facts = async () => {
  const { json } = await rig.asPerson("GET", "/h2a/relations");
  return (json.data as RelationView[]).map(({ status, connection_mode }) => [
    status,
    connection_mode,
  ]);
};

test("the person is told how an agent is reached when that changes, and only then", async () => {
  expect(await facts()).toEqual([["active", "websocket"]]);
  await switchTo(WEBHOOK);
  expect((await human.next("relation.updated")).payload).toMatchObject({
    agent_id: added.agentId,
    connection_mode: "webhook",
    status: "active",
  });
  expect(await facts()).toEqual([["active", "webhook"]]);
  await switchTo(WEBHOOK);
  await switchTo({ connection_mode: "websocket" });
  expect((await human.next("relation.updated")).payload).toMatchObject({
    connection_mode: "websocket",
  });
  await human.settled();
  expect(human.ofType("relation.updated")).toHaveLength(2);
});

test("of an agent that left while it was suspended, the person is told so once it is resumed", async () => {
  const agent = await rig.agent(added);
  while (!(await human.next("agent.presence")).online);
  const path = `/h2a/relations/${added.relation.relation_id}`;
  await rig.asPerson("POST", `${path}/suspend`);
  agent.close();
  await agent.closed;
  await rig.asPerson("POST", `${path}/restore`);
  expect(await human.next("agent.presence")).toMatchObject({ online: false });
});

test("every frame about a relation gives its status and how the agent is reached", async () => {
  await switchTo(WEBHOOK);
  const path = `/h2a/relations/${added.relation.relation_id}`;
  const steps = [
    ["POST", "/suspend", "relation.suspended", "suspended"],
    ["POST", "/restore", "relation.restored", "active"],
    ["DELETE", "", "relation.revoked", "revoked"],
  ] as const;
  for (const [method, what, type, status] of steps) {
    const { json } = await rig.asPerson(method, path + what);
    expect(json.data).toMatchObject({ status, connection_mode: "webhook" });
    expect((await human.next(type)).payload).toMatchObject({ status, connection_mode: "webhook" });
    const back = await rig.human();
    await back.settled();
    const told = back.frames.find(({ type: each }) => each.startsWith("relation."));
    expect(told?.payload).toMatchObject({ status, connection_mode: "webhook" });
  }
});
