import { afterEach, beforeEach, expect, test } from "vitest";
import { HubRig } from "../testing/hub-rig.ts";

let rig: HubRig;
beforeEach(async () => {
  rig = await HubRig.start();
});
afterEach(() => rig.hub.close());

test("a relation is made, changed, listed and revoked, and both sides hear of it", async () => {
  const added = await rig.addAgent(["filesystem:read"]);
  const { relation } = added;
  expect(relation).toEqual({
    relation_id: expect.any(String),
    agent_id: added.agentId,
    user_id: rig.hub.userId,
    conversation_id: expect.any(String),
    granted_scopes: ["filesystem:read"],
    status: "active",
  });
  const human = await rig.human();
  const agent = await rig.agent(added);
  const path = `/h2a/relations/${relation.relation_id}`;
  const { status, ...payload } = relation;
  expect((await agent.next("relation.established")).payload).toEqual(payload);
  const updated = await rig.asPerson("PATCH", path, { granted_scopes: ["notification:send"] });
  expect(updated.json.data).toEqual({ ...payload, granted_scopes: ["notification:send"], status });
  for (const client of [human, agent]) {
    const frame = await client.next("relation.updated");
    expect(frame.payload).toEqual({ ...payload, granted_scopes: ["notification:send"] });
  }
  const revoked = await rig.asPerson("DELETE", path);
  expect(revoked.json.data).toMatchObject({ status: "revoked", granted_scopes: [] });
  await human.next("relation.revoked");
  await agent.next("relation.revoked");
  expect((await rig.asPerson("DELETE", path)).json.data).toEqual(revoked.json.data);
  expect((await rig.asPerson("PATCH", path, { granted_scopes: [] })).status).toBe(404);
  expect((await rig.asPerson("GET", "/h2a/relations")).json.data).toEqual([revoked.json.data]);
});

test("granting again after a revocation brings back the same relation and conversation", async () => {
  const { agentId, relation } = await rig.addAgent();
  await rig.asPerson("DELETE", `/h2a/relations/${relation.relation_id}`);
  const human = await rig.human();
  const again = await rig.asPerson("POST", "/h2a/relations", {
    agent_id: agentId,
    granted_scopes: ["filesystem:read"],
  });
  expect([again.status, again.json.data]).toEqual([201, relation]);
  await human.next("relation.established");
});

test("scopes outside the manifest are not granted", async () => {
  const { agentId, relation } = await rig.addAgent();
  const granted_scopes = ["shell:exec", "filesystem:read"];
  const replies = [
    await rig.asPerson("POST", "/h2a/relations", { agent_id: agentId, granted_scopes }),
    await rig.asPerson("PATCH", `/h2a/relations/${relation.relation_id}`, { granted_scopes }),
  ];
  for (const { status, json } of replies) {
    expect(status).toBe(422);
    expect(json.error).toMatchObject({ code: "SCOPE_UNKNOWN", params: { scopes: ["shell:exec"] } });
  }
  expect((await rig.asPerson("GET", "/h2a/relations")).json.data).toEqual([relation]);
});

test("unknown agents and relations are not found", async () => {
  const body = { agent_id: "nobody", granted_scopes: [] };
  expect((await rig.asPerson("POST", "/h2a/relations", body)).status).toBe(404);
  expect((await rig.asPerson("PATCH", "/h2a/relations/x", { granted_scopes: [] })).status).toBe(
    404,
  );
  expect((await rig.asPerson("DELETE", "/h2a/relations/x")).status).toBe(404);
});

test("only the person handles relations and conversations; an agent's token is not enough", async () => {
  const { token, relation } = await rig.addAgent();
  const path = `/h2a/relations/${relation.relation_id}`;
  const replies = [
    await rig.rest("GET", "/h2a/relations", { token }),
    await rig.rest("POST", "/h2a/relations", { token, body: {} }),
    await rig.rest("PATCH", path, { token, body: { granted_scopes: [] } }),
    await rig.rest("DELETE", path, { token }),
    await rig.rest("POST", "/conversations", { token, body: {} }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
});

test("a group takes only agents with an active relation", async () => {
  const [kept, revoked] = [await rig.addAgent(), await rig.addAgent()];
  await rig.asPerson("DELETE", `/h2a/relations/${revoked.relation.relation_id}`);
  const agent_ids = [kept.agentId, revoked.agentId, "nobody"];
  const reply = await rig.asPerson("POST", "/conversations", { type: "group", agent_ids });
  expect(reply).toMatchObject({
    status: 403,
    json: { error: { code: "NOT_A_MEMBER", params: { agent_ids: [revoked.agentId, "nobody"] } } },
  });
  const empty = await rig.asPerson("POST", "/conversations", { type: "group", agent_ids: [] });
  expect(empty.json.error.code).toBe("BAD_REQUEST");
});
