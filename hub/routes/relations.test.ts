import { expect, test } from "vitest";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import { HubRig, messageTo, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());

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
    connection_mode: "websocket",
    reauth: null,
  });
  const human = await rig.human();
  const agent = await rig.agent(added);
  const path = `/h2a/relations/${relation.relation_id}`;
  const { reauth, ...payload } = relation;
  const { status } = payload;
  expect((await agent.next("relation.established")).payload).toEqual(payload);
  const updated = await rig.asPerson("PATCH", path, { granted_scopes: ["notification:send"] });
  expect(updated.json.data).toEqual({
    ...payload,
    granted_scopes: ["notification:send"],
    status,
    reauth,
  });
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

test("only the person handles relations and conversations; an agent's token is not enough", async () => {
  const { token, relation } = await rig.addAgent();
  const path = `/h2a/relations/${relation.relation_id}`;
  const replies = [
    await rig.rest("GET", "/h2a/relations", { token }),
    await rig.rest("POST", "/h2a/relations", { token, body: {} }),
    await rig.rest("PATCH", path, { token, body: { granted_scopes: [] } }),
    await rig.rest("DELETE", path, { token }),
    await rig.rest("PATCH", "/conversations/any", { token, body: { title: "Mine" } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
});

async function relationOfAgent(agentId: string) {
  const { json } = await rig.asPerson("GET", "/h2a/relations");
  return (json.data as RelationView[]).find((each) => each.agent_id === agentId);
}

test("a suspended relation carries nothing until it is restored, and both sides hear of it", async () => {
  const added = await rig.addAgent();
  const { relation_id, conversation_id } = added.relation;
  const [human, agent] = [await rig.human(), await rig.agent(added)];
  const path = `/h2a/relations/${relation_id}`;
  const suspended = await rig.asPerson("POST", `${path}/suspend`);
  expect(suspended.json.data).toEqual({ ...added.relation, status: "suspended" });
  expect((await rig.asPerson("POST", `${path}/suspend`)).json.data).toEqual(suspended.json.data);
  for (const client of [human, agent]) {
    expect((await client.next("relation.suspended")).payload).toMatchObject({ relation_id });
    client.send(messageTo(conversation_id, "while suspended"));
    expect(await client.next("message.refused")).toMatchObject({ error: { code: "NOT_A_MEMBER" } });
  }
  await rig.asPerson("PATCH", path, { granted_scopes: [] });
  await human.next("relation.updated");
  const restored = await rig.asPerson("POST", `${path}/restore`);
  expect(restored.json.data).toEqual({ ...added.relation, granted_scopes: [] });
  for (const client of [human, agent]) {
    await client.next("relation.restored");
    await client.says(conversation_id, "restored");
    await client.settled();
    expect(client.ofType("relation.suspended")).toHaveLength(1);
  }
});

test("what happened to a relation is told to each side at its next connect", async () => {
  const added = await rig.addAgent();
  const path = `/h2a/relations/${added.relation.relation_id}`;
  const heard = async () => {
    const clients = [await rig.human(), await rig.agent(added)];
    const types: string[][] = [];
    for (const client of clients) {
      await client.settled();
      client.close();
      const frames = client.frames.filter(({ type }) => type.startsWith("relation."));
      types.push(frames.map(({ type }) => type));
    }
    return types;
  };
  await rig.asPerson("PATCH", path, { granted_scopes: ["notification:send"] });
  const agent = await rig.agent(added);
  const { payload } = await agent.next("relation.established");
  expect(payload).toMatchObject({ granted_scopes: ["notification:send"] });
  await rig.asPerson("POST", `${path}/suspend`);
  expect(await heard()).toEqual([["relation.suspended"], ["relation.suspended"]]);
  await rig.asPerson("POST", `${path}/restore`);
  expect(await heard()).toEqual([["relation.established"], ["relation.established"]]);
  await rig.asPerson("DELETE", path);
  const human = await rig.human();
  await human.next("relation.revoked");
});

test("a revoked relation is neither suspended nor restored; granting again ends a suspension", async () => {
  const added = await rig.addAgent();
  const path = `/h2a/relations/${added.relation.relation_id}`;
  await rig.asPerson("POST", `${path}/suspend`);
  const human = await rig.human();
  const again = { agent_id: added.agentId, granted_scopes: ["filesystem:read"] };
  expect((await rig.asPerson("POST", "/h2a/relations", again)).json.data).toEqual(added.relation);
  await human.next("relation.restored");
  await rig.asPerson("DELETE", path);
  expect((await rig.asPerson("POST", `${path}/suspend`)).status).toBe(404);
  expect((await rig.asPerson("POST", `${path}/restore`)).status).toBe(404);
  expect((await rig.rest("POST", `${path}/suspend`, { token: added.token })).status).toBe(401);
});

const LOCATION = { id: "location:read", label_i18n_key: "l", sensitivity: "high" };
const SHELL = { id: "shell:exec", label_i18n_key: "s", label_fallback: "S", sensitivity: "high" };

test("the person's answer to breaking manifests reaches the agent once, now or when it connects", async () => {
  const added = await rig.addAgent(["filesystem:read"]);
  const { agentId, token, relation } = added;
  const path = `/h2a/relations/${relation.relation_id}`;
  const { permission_scopes } = sampleManifest();
  const more = sampleManifest({ permission_scopes: [...permission_scopes, LOCATION] });
  const most = sampleManifest({ permission_scopes: [...permission_scopes, LOCATION, SHELL] });
  for (const body of [more, most]) await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  const scopes = ["location:read", "shell:exec"];
  expect((await relationOfAgent(agentId))?.reauth).toEqual({ manifest_version: 3, scopes });
  const agent = await rig.agent(added);
  // The client takes scopes back until the person has answered, and an older page is no answer.
  await rig.asPerson("PATCH", path, { granted_scopes: [] });
  const older = { granted_scopes: ["location:read"], capability_manifest_version: 2 };
  await rig.asPerson("PATCH", path, older);
  await agent.settled();
  expect(agent.ofType("agent.capability_changed")).toEqual([]);
  const granted_scopes = ["filesystem:read", "location:read"];
  const answer = { granted_scopes, capability_manifest_version: 3 };
  expect((await rig.asPerson("PATCH", path, answer)).json.data.reauth).toBeNull();
  const told = {
    relation_id: relation.relation_id,
    agent_id: agentId,
    user_id: rig.hub.userId,
    capability_manifest_version: 3,
    accepted: false,
    granted_scopes,
  };
  expect((await agent.next("agent.capability_changed")).payload).toEqual(told);
  await rig.asPerson("PATCH", path, answer);
  await agent.settled();
  expect(agent.ofType("agent.capability_changed")).toHaveLength(1);
  const later = await rig.agent(added);
  expect((await later.next("agent.capability_changed")).payload).toEqual(told);
  const future = { granted_scopes, capability_manifest_version: 4 };
  expect((await rig.asPerson("PATCH", path, future)).json.error.params).toEqual({
    fault: "capability_manifest_version",
  });
});

test("a scope that a later manifest no longer asks for needs no grant to be accepted", async () => {
  const { agentId, token, relation } = await rig.addAgent([]);
  const permission_scopes = [...sampleManifest().permission_scopes, LOCATION, SHELL];
  for (const scopes of [permission_scopes, permission_scopes.slice(0, -1)]) {
    const body = sampleManifest({ permission_scopes: scopes });
    await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  }
  const answer = { granted_scopes: ["location:read"], capability_manifest_version: 3 };
  await rig.asPerson("PATCH", `/h2a/relations/${relation.relation_id}`, answer);
  const agent = await rig.agent({ agentId, token });
  expect((await agent.next("agent.capability_changed")).payload).toMatchObject({ accepted: true });
});

test("a breaking manifest while suspended is asked about, and accepted when all of it is", async () => {
  const { agentId, token, relation } = await rig.addAgent([]);
  const path = `/h2a/relations/${relation.relation_id}`;
  await rig.asPerson("POST", `${path}/suspend`);
  const permission_scopes = [...sampleManifest().permission_scopes, LOCATION];
  const body = sampleManifest({ permission_scopes });
  await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  const human = await rig.human();
  await human.next("h2a.reauth_required");
  await rig.asPerson("POST", `${path}/restore`);
  const answer = { granted_scopes: ["location:read"], capability_manifest_version: 2 };
  await rig.asPerson("PATCH", path, answer);
  const agent = await rig.agent({ agentId, token });
  expect((await agent.next("agent.capability_changed")).payload).toMatchObject({ accepted: true });
});

test("scopes chosen from another manifest than the present one are not granted", async () => {
  const { agentId, relation } = await rig.addAgent();
  await rig.asPerson("DELETE", `/h2a/relations/${relation.relation_id}`);
  const body = { agent_id: agentId, granted_scopes: [], capability_manifest_version: 1 };
  await rig.asPerson("PATCH", `/agents/${agentId}`, { capability_manifest: sampleManifest() });
  const { status, json } = await rig.asPerson("POST", "/h2a/relations", body);
  expect(status).toBe(409);
  expect(json.error).toMatchObject({
    code: "MANIFEST_CHANGED",
    params: { capability_manifest_version: 2 },
  });
  const shown = { ...body, capability_manifest_version: 2 };
  expect((await rig.asPerson("POST", "/h2a/relations", shown)).status).toBe(201);
});
