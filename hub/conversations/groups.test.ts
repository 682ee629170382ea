import { beforeEach, expect, test } from "vitest";
import type { ConversationView } from "../../app/protocol/v1/answers.ts";
import { type AddedAgent, HubRig, messageTo, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());
let one: AddedAgent;
let two: AddedAgent;
let human: TestClient;
beforeEach(async () => {
  [one, two] = [await rig.addAgent(), await rig.addAgent()];
  human = await rig.human();
});

const make = async (...agents: readonly AddedAgent[]): Promise<ConversationView> => {
  const agent_ids = agents.map(({ agentId }) => agentId);
  const made = await rig.asPerson("POST", "/conversations", {
    type: "group",
    title: "Release",
    agent_ids,
  });
  expect(made.status).toBe(201);
  return made.json.data;
};
const changes = (client: TestClient) =>
  client.ofType("group.updated").map(({ payload }) => (payload as { change: string }).change);
const next = async (client: TestClient) => (await client.next("group.updated")).payload;
const codeOf = ({ json }: { readonly json: { readonly error: { readonly code: string } } }) =>
  json.error.code;

test("a group is created with its members, who are told, and can be listed and read", async () => {
  const agent = await rig.agent(one);
  const group = await make(one);
  const { userId } = rig.hub;
  const summary = {
    conversation_id: expect.any(String),
    type: "group",
    title: "Release",
    owner_id: userId,
    member_count: 2,
    last_seq: 0,
    read_seq: 0,
  };
  const person = { member_id: userId, member_type: "human", role: "owner", name: null };
  const member = { member_id: one.agentId, member_type: "agent", role: "member", name: "Agent" };
  expect(group).toEqual({
    ...summary,
    members: [
      { ...person, read_seq: 0 },
      { ...member, read_seq: 0, status: "active" },
    ],
  });
  for (const client of [human, agent]) {
    expect(await next(client)).toEqual({
      conversation_id: group.conversation_id,
      change: "created",
      title: "Release",
      owner_id: userId,
      member_count: 2,
      member_ids: [userId, one.agentId],
      by: userId,
    });
  }
  const path = `/conversations/${group.conversation_id}`;
  const seen = await rig.rest("GET", path, { token: one.token });
  expect(seen.json.data.members).toEqual([
    { ...person, read_seq: 0 },
    { ...member, read_seq: 0 },
  ]);
  const listed = await rig.rest("GET", "/conversations", { token: one.token });
  expect(listed.json.data).toEqual([
    { ...summary, type: "h2a", title: null, conversation_id: one.relation.conversation_id },
    summary,
  ]);
  const stranger = await rig.rest("GET", path, { token: two.token });
  expect([stranger.status, codeOf(stranger)]).toEqual([404, "NOT_FOUND"]);
});

test("only its owner can rename it and add members", async () => {
  const agent = await rig.agent(one);
  const { conversation_id } = await make(one);
  const path = `/conversations/${conversation_id}`;
  const renamed = await rig.asPerson("PATCH", path, { title: null });
  expect(renamed.json.data.title).toBe(null);
  const agent_ids = [one.agentId, two.agentId, two.agentId];
  const added = await rig.asPerson("POST", `${path}/members`, { agent_ids });
  expect(added.json.data.member_count).toBe(3);
  await rig.asPerson("POST", `${path}/members`, { agent_ids, user_ids: [rig.hub.userId] });
  await agent.settled();
  expect(changes(agent)).toEqual(["created", "renamed", "members_added"]);
  expect(agent.ofType("group.updated").at(-1)?.payload).toMatchObject({
    member_ids: [two.agentId],
    member_count: 3,
  });
  const refusals = [
    await rig.rest("PATCH", path, { token: one.token, body: { title: "x" } }),
    await rig.rest("POST", `${path}/members`, { token: one.token, body: {} }),
    await rig.rest("DELETE", `${path}/members/${two.agentId}`, { token: one.token }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([401, 401, 403]);
});

test("takes only agents with an active relation, that take part in groups", async () => {
  const [revoked, suspended] = [await rig.addAgent(), await rig.addAgent()];
  await rig.asPerson("DELETE", `/h2a/relations/${revoked.relation.relation_id}`);
  await rig.asPerson("POST", `/h2a/relations/${suspended.relation.relation_id}/suspend`);
  const strangers = [revoked.agentId, suspended.agentId, "nobody"];
  const agent_ids = [one.agentId, ...strangers];
  const made = await rig.asPerson("POST", "/conversations", { type: "group", agent_ids });
  expect(made.json.error).toMatchObject({ code: "NOT_RELATED", params: { agent_ids: strangers } });
  const { conversation_id } = await make(one);
  const path = `/conversations/${conversation_id}/members`;
  const added = await rig.asPerson("POST", path, { agent_ids: strangers });
  expect([added.status, codeOf(added)]).toEqual([403, "NOT_RELATED"]);
  const capability_flags = { supports_group_chat: false };
  await rig.rest("PATCH", `/agents/${two.agentId}`, {
    token: two.token,
    body: sampleManifest({ capability_flags }),
  });
  const shy = await rig.asPerson("POST", path, { agent_ids: [two.agentId] });
  expect(shy.json.error).toMatchObject({
    code: "GROUPS_UNSUPPORTED",
    params: { agent_ids: [two.agentId] },
  });
});

test("an agent whose new manifest takes no part in groups is out of all of them at that moment", async () => {
  const [first, second] = [await make(one, two), await make(one)];
  await human.says(first.conversation_id, "waits for one");
  const agent = await rig.agent(one);
  const other = await rig.agent(two);
  for (const each of [human, agent, other]) await each.settled();
  const before = [human, agent, other].map((each) => each.ofType("group.updated").length);
  const body = sampleManifest({ capability_flags: { supports_group_chat: false } });
  expect((await rig.patch(one, body)).status).toBe(200);
  for (const each of [human, agent, other]) await each.settled();
  const told = [human, agent, other].map((each, at) =>
    each
      .ofType("group.updated")
      .slice(before[at])
      .map(({ payload }) => payload),
  );
  const left = ({ conversation_id }: ConversationView, member_count: number) =>
    expect.objectContaining({
      ...{ conversation_id, change: "members_removed", member_ids: [one.agentId] },
      ...{ by: one.agentId, member_count },
    });
  expect(told).toEqual([
    [left(first, 2), left(second, 1)],
    [left(first, 2), left(second, 1)],
    [left(first, 2)],
  ]);
  agent.send(messageTo(first.conversation_id, "too late"));
  expect((await agent.next("message.refused")).error).toMatchObject({ code: "NOT_A_MEMBER" });
  const { members } = (await rig.asPerson("GET", `/conversations/${first.conversation_id}`)).json
    .data;
  expect(members.map((each: { member_id: string }) => each.member_id)).not.toContain(one.agentId);
  agent.close();
  const again = await rig.agent(one);
  await again.settled();
  expect([again.ofType("group.updated"), again.ofType("message.new")]).toEqual([[], []]);
});

test("an agent that its owner takes out of groups by a manifest stays a stranger until it is added again", async () => {
  const { conversation_id } = await make(one, two);
  const shy = {
    capability_manifest: sampleManifest({ capability_flags: { supports_group_chat: false } }),
  };
  await rig.asPerson("PATCH", `/agents/${one.agentId}`, shy);
  expect(await next(human)).toMatchObject({ change: "created" });
  expect(await next(human)).toMatchObject({ change: "members_removed", by: rig.hub.userId });
  await rig.patch(one, sampleManifest());
  const path = `/conversations/${conversation_id}`;
  expect((await rig.rest("GET", path, { token: one.token })).status).toBe(404);
  const added = await rig.asPerson("POST", `${path}/members`, { agent_ids: [one.agentId] });
  expect(added.json.data.member_count).toBe(3);
});

test("a member who is removed or leaves is told, then gets nothing more; what waited is dropped", async () => {
  const { conversation_id } = await make(one, two);
  await human.says(conversation_id, "waits for both");
  const path = `/conversations/${conversation_id}/members`;
  const gone = await rig.asPerson("DELETE", `${path}/${one.agentId}`);
  expect(gone.json.data).toEqual({ conversation_id, member_id: one.agentId });
  expect((await rig.asPerson("DELETE", `${path}/${one.agentId}`)).status).toBe(404);
  const first = await rig.agent(one);
  const second = await rig.agent(two);
  expect(await next(second)).toMatchObject({ change: "current", member_count: 2 });
  await second.next("message.new");
  const left = await rig.rest("DELETE", `${path}/${two.agentId}`, { token: two.token });
  expect(left.status).toBe(200);
  expect(await next(second)).toMatchObject({
    change: "members_removed",
    member_ids: [two.agentId],
    by: two.agentId,
    member_count: 1,
  });
  human.send(messageTo(conversation_id, "to nobody"));
  expect((await human.next("message.refused")).error).toMatchObject({ code: "NOT_A_MEMBER" });
  second.send(messageTo(conversation_id, "from outside"));
  expect((await second.next("message.refused")).error).toMatchObject({ code: "NOT_A_MEMBER" });
  await first.settled();
  expect([changes(first), first.ofType("message.new")]).toEqual([[], []]);
  expect(changes(human)).toEqual(["created", "members_removed", "members_removed"]);
});

test("a group ends when its owner leaves", async () => {
  const agent = await rig.agent(one);
  const { conversation_id } = await make(one);
  const path = `/conversations/${conversation_id}`;
  await rig.asPerson("DELETE", `${path}/members/${rig.hub.userId}`);
  for (const client of [human, agent]) {
    expect(await next(client)).toMatchObject({ change: "created" });
    expect(await next(client)).toMatchObject({ change: "ended", member_count: 0 });
  }
  expect(codeOf(await rig.asPerson("GET", path))).toBe("NOT_FOUND");
});

test("an agent can make a limited number of groups with its person, who owns them", async () => {
  const create = (body: object) =>
    rig.rest("POST", "/conversations", { token: one.token, body: { type: "group", ...body } });
  const made = await create({ title: "Build 7" });
  expect(made.json.data).toMatchObject({ owner_id: rig.hub.userId, member_count: 2 });
  expect(await next(human)).toMatchObject({ change: "created", by: one.agentId });
  expect(codeOf(await create({ agent_ids: [two.agentId] }))).toBe("NOT_RELATED");
  for (let nth = 2; nth <= 32; nth += 1) expect((await create({})).status).toBe(201);
  const over = await create({});
  expect([over.status, codeOf(over)]).toEqual([429, "TOO_MANY_GROUPS"]);
  const path = `/conversations/${made.json.data.conversation_id}/members`;
  await rig.asPerson("DELETE", `${path}/${rig.hub.userId}`);
  expect((await create({})).status).toBe(201);
});
