import { beforeEach, describe, expect, it } from "vitest";
import { client, launchForEachTest } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { loseRequests } from "../testing/intercept-fetch.ts";
import type { TestAgent } from "../testing/test-agent.ts";
import { MANIFEST } from "../testing/test-manifest.ts";

launchForEachTest();
let one: TestAgent;
let two: TestAgent;
beforeEach(async () => {
  [one, two] = [await client.addAgent(undefined, "One"), await client.addAgent(undefined, "Two")];
});

const shown = async (conversationId: string) => {
  const list = await client.call("conversations.list", {});
  return list.find(({ conversation_id }) => conversation_id === conversationId);
};
const created = async (title: string | null, ...agents: readonly TestAgent[]) => {
  const agent_ids = agents.map(({ id }) => id);
  return (await client.call("groups.create", { title, agent_ids })).conversation_id;
};

describe("the person's groups", () => {
  it("are made, renamed, joined, left by agents and ended, and agents are told", async () => {
    const heard: string[] = [];
    two.sdk.addEventHandler((event) => {
      if (event.type === "group.updated") heard.push(event.payload.change);
    });
    const conversation_id = await created(" Weekly ", one);
    expect(await shown(conversation_id)).toMatchObject({
      kind: "group",
      title: "Weekly",
      agent_ids: [one.id],
      owned: true,
      offers: { tools: false },
    });
    await client.call("groups.add_members", { conversation_id, agent_ids: [two.id] });
    expect((await shown(conversation_id))?.agent_ids.toSorted()).toEqual(
      [one.id, two.id].toSorted(),
    );
    await client.call("groups.rename", { conversation_id, title: null });
    expect((await shown(conversation_id))?.title).toBeNull();
    await client.call("groups.remove_member", { conversation_id, member_id: one.id });
    expect((await shown(conversation_id))?.agent_ids).toEqual([two.id]);
    await client.call("groups.leave", { conversation_id });
    expect(await shown(conversation_id)).toMatchObject({ relation: "revoked", members: [] });
    await eventually(async () => (heard.includes("ended") ? true : undefined));
    expect(heard).toEqual(["members_added", "renamed", "members_removed", "ended"]);
  });

  it("carry the person's messages to every agent in them", async () => {
    const conversation_id = await created("Weekly", one, two);
    const texts: unknown[] = [];
    for (const agent of [one, two]) {
      agent.sdk.addMessageHandler(({ payload }) => texts.push(payload.text));
    }
    const client_message_id = "message-0001";
    await client.call("conversations.send", { conversation_id, text: "Hello", client_message_id });
    await eventually(async () => (texts.length === 2 ? true : undefined));
    expect(texts).toEqual(["Hello", "Hello"]);
  });

  it("say in a code what is not done", async () => {
    const closed = client.pair("Alone", {
      ...MANIFEST,
      capability_flags: { supports_group_chat: false },
    });
    await client.acceptPairing(await closed.code, []);
    const alone = await closed.agent;
    await expect(created("Weekly", alone)).rejects.toThrow("groups_unsupported");
    await expect(created("\u200b", one)).rejects.toThrow("nothing_visible");
    await client.call("agents.suspend", { agent_id: two.id, suspended: true });
    await expect(created("Weekly", two)).rejects.toThrow("not_related");
    const conversation_id = await created("Weekly", one);
    const gone = { conversation_id: "none", title: "New" };
    await expect(client.call("groups.rename", gone)).rejects.toThrow("not_found");
    loseRequests();
    const leave = client.call("groups.leave", { conversation_id });
    await expect(leave).rejects.toThrow("hub_unreachable");
  });

  it("lose an agent whose new manifest takes no part in groups, and say so there", async () => {
    const conversation_id = await created("Weekly", one, two);
    const notes = async () => {
      const { items } = await client.call("conversations.page", { conversation_id, limit: 50 });
      return items.flatMap((item) => (item.kind === "note" ? [[item.code, item.agent_name]] : []));
    };
    await client.call("groups.remove_member", { conversation_id, member_id: two.id });
    const closed = { ...MANIFEST, capability_flags: { supports_group_chat: false } };
    await client.hub.patchManifest(one.id, one.credentials.token, closed);
    await eventually(async () => ((await notes()).length > 0 ? true : undefined));
    expect(await notes()).toEqual([["left_group", "One"]]);
    expect(await shown(conversation_id)).toMatchObject({ agent_ids: [], relation: "active" });
    await client.restart();
    await client.reconnected();
    expect(await notes()).toEqual([["left_group", "One"]]);
  });

  it("offer only agents whose manifest does not say no", async () => {
    const closed = client.pair("Alone", {
      ...MANIFEST,
      capability_flags: { supports_group_chat: false },
    });
    await client.acceptPairing(await closed.code, []);
    const alone = await closed.agent;
    const list = await client.call("conversations.list", {});
    const offered = list
      .filter(({ offers }) => offers.groups)
      .flatMap(({ agent_ids }) => agent_ids);
    expect(offered).toContain(one.id);
    expect(offered).not.toContain(alone.id);
  });
});
