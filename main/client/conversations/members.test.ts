import { describe, expect, it } from "vitest";
import { UNDELIVERED_AT_MOST } from "../../../app/protocol/v1/frames.ts";
import type { AgentEvent } from "../../../sdk/index.ts";
import { agent, client, connectForEachTest, talk } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";

connectForEachTest({ withAnother: true });

const view = async (id = talk) =>
  (await client.call("conversations.list", {})).find((each) => each.conversation_id === id);
/** The list's entry of a conversation once it meets the condition. */
const viewOnce = (isIt: (found: NonNullable<Awaited<ReturnType<typeof view>>>) => boolean) =>
  eventually(async () => {
    const found = await view();
    return found !== undefined && isIt(found) ? found : undefined;
  });
const page = (conversation_id = talk, limit = 50) =>
  client.call("conversations.page", { conversation_id, limit });
const say = (text: string, to = talk) => agent.sdk.send(to, { type: "text", text });

describe("a group", () => {
  it("shows more messages than the hub would store, each reported received, and has no tools", async () => {
    const { conversation_id } = await agent.sdk.conversations.createGroup({ title: "Harvest" });
    const count = UNDELIVERED_AT_MOST + 50;
    // Were they not reported, the hub would refuse what comes after the thousandth.
    for (let first = 0; first < count; first += 50) {
      const texts = Array.from({ length: 50 }, (_, index) => `line ${first + index}`);
      await Promise.all(texts.map((text) => say(text, conversation_id)));
      const at = first + 50;
      await eventually(async () => {
        const { items } = await page(conversation_id, 1);
        const [item] = items;
        return (item?.kind === "message" && item.seq === at) || undefined;
      });
    }
    const group = await view(conversation_id);
    expect(group).toMatchObject({
      kind: "group",
      title: "Harvest",
      agent_ids: [agent.id],
      last_text: `line ${count - 1}`,
      offers: { text: true, tools: false },
    });
    const { items } = await page(conversation_id, 3);
    expect(items).toMatchObject(
      [3, 2, 1].map((back) => ({ text: `line ${count - back}`, sender_id: agent.id, mine: false })),
    );
  }, 120_000);
});

describe("a member", () => {
  it("is seen writing until it stops", async () => {
    agent.sdk.typing(talk);
    const writing = async () => (await page()).typing.map(({ sender_id }) => sender_id);
    await eventually(async () => (await writing()).includes(agent.id) || undefined);
    agent.sdk.stopTyping(talk);
    await eventually(async () => (await writing()).length === 0 || undefined);
  });

  it("has a read mark, and sees the person's", async () => {
    const events: AgentEvent[] = [];
    agent.sdk.addEventHandler((event) => events.push(event));
    await say("one");
    await say("two");
    await viewOnce(({ unread }) => unread === 2);
    await client.call("conversations.mark_read", { conversation_id: talk, seq: 2 });
    const marks = () => events.flatMap((event) => (event.type === "message.read" ? event : []));
    await expect.poll(() => marks().map(({ payload }) => payload.seq)).toEqual([2]);
    await agent.sdk.conversations.markRead(talk, 1);
    const readBy = async (isMe: boolean) =>
      (await view())?.members.find(({ is_me }) => is_me === isMe)?.read_seq;
    await eventually(async () => (await readBy(false)) === 1 || undefined);
    // The hub repeats it after each connect.
    await client.restart();
    await eventually(async () => (await readBy(false)) === 1 || undefined);
    expect([await readBy(true), (await view())?.unread]).toEqual([2, 0]);
  });
});

describe("a conversation with one agent", () => {
  it("has the person's own name for the agent, next to the agent's, until that is removed", async () => {
    const rename = (petname: string | null) =>
      client.call("agents.rename", { agent_id: agent.id, petname });
    const names = async () => {
      const found = await view();
      const member = found?.members.find(({ is_agent }) => is_agent);
      return [found?.title, member?.petname, member?.name];
    };
    await rename("Archivist");
    expect(await names()).toEqual(["Archivist", "Archivist", "Test agent"]);
    await client.restart();
    expect(await names()).toEqual(["Archivist", "Archivist", "Test agent"]);
    await rename(null);
    expect(await names()).toEqual(["Test agent", null, "Test agent"]);
  });

  it("shows the relation's status, and cannot be written to once that has ended", async () => {
    await say("kept");
    await client.hub.suspendRelation(agent.id);
    expect(await viewOnce(({ relation }) => relation === "suspended")).toMatchObject({
      offers: { text: true },
      last_text: "kept",
    });
    await client.hub.restoreRelation(agent.id);
    await viewOnce(({ relation }) => relation === "active");
    await client.hub.revokeRelation(agent.id);
    const ended = await viewOnce(({ relation }) => relation === "revoked");
    expect(ended).toMatchObject({ offers: { text: false }, last_text: "kept" });
    const client_message_id = "never-sent-1";
    const write = { conversation_id: talk, text: "hello", client_message_id };
    await expect(client.call("conversations.send", write)).rejects.toThrow("not_offered");
    expect(await page()).toMatchObject({ items: [{ text: "kept" }] });
  });
});
