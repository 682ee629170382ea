import { beforeEach, describe, expect, it } from "vitest";
import { ofEachTest } from "../hub/testing/of-each-test.ts";
import type { AgentEvent, DeliveredMessage, HasheeAgent } from "./index.ts";
import { FakeHub } from "./testing/fake-hub.ts";
import { refusal } from "./testing/fake-rest.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";
import { PATIENT, type ScriptedPerson } from "./testing/scripted-person.ts";
import { startAgent } from "./testing/start-agent.ts";

const hub = ofEachTest(new LivedInHub());
let person: ScriptedPerson;
let agents: HasheeAgent[];
let talk: string;
beforeEach(async () => {
  person = await hub.arrived();
  agents = [];
  for (const name of ["Reader", "Writer"]) {
    const paired = await hub.pair({ name });
    agents.push(paired.agent);
    talk = paired.credentials.conversationId;
  }
});

const agentAt = (at: number): HasheeAgent => agents[at] as HasheeAgent;

async function asPerson(method: string, path: string, body?: object) {
  expect((await hub.asPerson(method, path, body)).status).toBeLessThan(300);
}

function listeners(agent: HasheeAgent) {
  const heard = { messages: [] as DeliveredMessage[], events: [] as AgentEvent[] };
  agent.addMessageHandler((message) => heard.messages.push(message));
  agent.addEventHandler((event) => heard.events.push(event));
  const changes = () =>
    heard.events.flatMap((event) => (event.type === "group.updated" ? [event.payload.change] : []));
  const marks = () =>
    heard.events.flatMap((event) =>
      event.type === "message.read" ? [[event.payload.user_id, event.payload.seq]] : [],
    );
  return { ...heard, changes, marks };
}

describe("an agent's conversations", () => {
  it("include its person's from the start, and groups that it makes until it leaves them", async () => {
    const agent = agentAt(1);
    expect(await agent.conversations.list()).toMatchObject([
      { conversation_id: talk, type: "h2a", title: null, member_count: 2 },
    ]);
    const group = await agent.conversations.createGroup({ title: "Release" });
    expect(group).toMatchObject({ type: "group", owner_id: hub.hub.userId, title: "Release" });
    expect(group.members.map(({ member_id }) => member_id)).toEqual([
      hub.hub.userId,
      agent.agentId,
    ]);
    expect(await agent.conversations.get(group.conversation_id)).toEqual(group);
    await agent.conversations.leave(group.conversation_id);
    const gone = agent.conversations.get(group.conversation_id);
    await expect(gone).rejects.toMatchObject({ name: "AgentError", code: "NOT_FOUND" });
    const nobody = agent.conversations.createGroup({ userIds: ["somebody"] });
    await expect(nobody).rejects.toMatchObject({
      code: "NOT_FOUND",
      params: { user_ids: ["somebody"] },
    });
  });

  it("give each message's group as it is after every change", async () => {
    const [one, two] = [agentAt(0), agentAt(1)];
    const [first, second] = [listeners(one), listeners(two)];
    const { conversation_id: id } = await one.conversations.createGroup({ title: "Release" });
    await asPerson("POST", `/conversations/${id}/members`, { agent_ids: [two.agentId] });
    await asPerson("PATCH", `/conversations/${id}`, { title: "Release 7" });
    await one.send(id, { type: "text", text: "hello" });
    await expect.poll(() => second.messages, PATIENT).toHaveLength(1);
    expect(second.messages[0]).toMatchObject({
      conversation_type: "group",
      conversation_seq: 1,
      sender_id: one.agentId,
      payload: { type: "text", text: "hello" },
      group_metadata: {
        group_id: id,
        title: "Release 7",
        owner_id: hub.hub.userId,
        member_count: 3,
      },
    });
    await asPerson("DELETE", `/conversations/${id}/members/${two.agentId}`);
    await expect.poll(first.changes, PATIENT).toHaveLength(4);
    expect(first.changes()).toEqual(["created", "members_added", "renamed", "members_removed"]);
    await expect
      .poll(second.changes, PATIENT)
      .toEqual(["members_added", "renamed", "members_removed"]);
    await person.say(talk, "only us");
    await expect.poll(() => second.messages, PATIENT).toHaveLength(2);
    expect(second.messages[1]).not.toHaveProperty("group_metadata");
  });

  it("are marked as read, and others hear how far", async () => {
    const [one, two] = [agentAt(0), agentAt(1)];
    const second = listeners(two);
    const { conversation_id: id } = await one.conversations.createGroup();
    await asPerson("POST", `/conversations/${id}/members`, { agent_ids: [two.agentId] });
    await two.send(id, { type: "text", text: "a" });
    await two.send(id, { type: "text", text: "b" });
    expect(await one.conversations.markRead(id, 2)).toBe(2);
    expect(await one.conversations.markRead(id, 1)).toBe(2);
    await expect.poll(second.marks, PATIENT).toEqual([[one.agentId, 2]]);
    await expect.poll(() => person.marks, PATIENT).toEqual([[one.agentId, 2]]);
    const { members } = await two.conversations.get(id);
    expect(members.find(({ member_id }) => member_id === one.agentId)).toMatchObject({
      read_seq: 2,
    });
  });

  it("reject with the hub's code, and are not retried when it cannot be reached", async () => {
    const refused = refusal(429, "TOO_MANY_GROUPS", { groups_at_most: 32 });
    const { agent, hub } = await startAgent({}, new FakeHub({ answers: [refused, "lost"] }));
    await expect(agent.conversations.createGroup()).rejects.toMatchObject({
      code: "TOO_MANY_GROUPS",
      params: { groups_at_most: 32 },
    });
    await expect(agent.conversations.list()).rejects.toMatchObject({ code: "hub_unreachable" });
    expect(hub.rest.requests).toHaveLength(2);
    agent.disconnect();
  });
});
