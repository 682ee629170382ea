import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { invitationOf } from "../../../hub/testing/invited-person.ts";
import { ofEachTest } from "../../../hub/testing/of-each-test.ts";
import type { HubMovedEvent } from "../../../sdk/index.ts";
import { LivedInHub } from "../../../sdk/testing/lived-in-hub.ts";
import { PATIENCE_MS } from "../testing/deceived-client.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import type { TestAgent } from "../testing/test-agent.ts";

const there = ofEachTest(new LivedInHub());
let client: LaunchedClient;
beforeEach(async () => {
  client = new LaunchedClient();
  onTestFinished(() => client.end());
  await client.launch();
});

const linkOf = async (name: string) => `${there.url}/#${await invitationOf(there, name)}`;
const move = (link: string | null) => client.call("hub.move", { link });
const ownId = async (name: string) => {
  const people: { name: string; user_id: string }[] = (await there.asPerson("GET", "/people")).json
    .data;
  return people.find((each) => each.name === name)?.user_id;
};
const hub = async () => (await client.snapshot()).hub;
const moved = (agent: TestAgent) =>
  new Promise<HubMovedEvent["payload"]>((resolve) =>
    agent.sdk.addEventHandler((event) => {
      if (event.type === "hub.moved") resolve(event.payload);
    }),
  );
const notified = { result: { shown: true, folded: false } };

describe("a person who moves to another hub", { timeout: PATIENCE_MS }, () => {
  it("takes agents along, there and back, with what was granted and their conversation", async () => {
    const own = client.hubUrl;
    const agent = await client.addAgent(["notification:send"]);
    await agent.notify();
    const followed = moved(agent);
    expect(await move(await linkOf("Ada"))).toEqual({ untold: [] });
    expect(await followed).toMatchObject({ hub: there.url, followed: true });
    await client.reconnected();
    expect(await hub()).toEqual({ url: there.url, own: false, connected: true, fault: null });
    expect(await agent.notify()).toEqual(notified);
    expect(await client.grants(agent)).toMatchObject({ "notification:send": "granted" });
    expect((await client.snapshot()).notices).toEqual([]);

    // Both remember it, also where the agent's program still says the first address.
    client.hubIsAt(own);
    await client.restart();
    client.hubIsAt(own);
    const again = await client.returning(agent);
    await client.reconnected();
    expect(await again.notify()).toEqual(notified);

    const back = moved(again);
    expect(await move(null)).toEqual({ untold: [] });
    expect(await back).toMatchObject({ followed: true });
    await client.reconnected();
    expect(await hub()).toMatchObject({ own: true, connected: true });
    expect(await again.notify()).toEqual(notified);
    expect((await client.log()).map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok"]);
    expect((await client.snapshot()).keys.agents).toMatchObject([{ ledger: "in_step" }]);
  });

  it("tells an agent that was away, once it comes", async () => {
    const agent = await client.addAgent(["notification:send"]);
    agent.sdk.disconnect();
    await move(await linkOf("Ada"));
    const again = await client.returning(agent);
    await client.reconnected();
    expect(await again.notify()).toEqual(notified);
  });

  it("stays where they are not let in, and is told why", async () => {
    const agent = await client.addAgent(["notification:send"]);
    const used = await linkOf("Ada");
    for (const [link, code] of [
      ["", "hub_link_unusable"],
      ["http://hub.example", "hub_link_unusable"],
      [client.hubUrl, "hub_link_unusable"],
      [there.url, "hub_not_invited"],
      [`${there.url}/#hsi_${"0".repeat(40)}`, "invitation_unusable"],
      ["http://127.0.0.1:9", "hub_unreachable"],
    ] as const) {
      await expect(move(link), link).rejects.toThrow(code);
    }
    expect(await hub()).toMatchObject({ own: true, connected: true });
    expect(await agent.notify()).toEqual(notified);
    await move(used);
    await client.reconnected();
  });

  it("is told of agents that cannot come along", async () => {
    const agent = await client.addAgent(["notification:send"], "Suspended");
    await client.call("agents.suspend", { agent_id: agent.id, suspended: true });
    const called = await client.addAgent(["notification:send"], "Called");
    const connection = { connection_mode: "webhook", webhook_url: "http://127.0.0.1:9/in" };
    const { token } = called.credentials;
    const answer = await fetch(`${client.hubUrl}/agents/${called.id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(connection),
    });
    expect(answer.status).toBe(200);
    const { untold } = await move(await linkOf("Ada"));
    expect(new Set(untold)).toEqual(new Set(["Suspended", "Called"]));
  });

  it("takes no agent away from somebody else who has added it", async () => {
    const another = new LaunchedClient();
    onTestFinished(() => another.end());
    const elsewhere = await new LivedInHub().start();
    onTestFinished(() => elsewhere.end());
    await move(await linkOf("Ada"));
    client.hubIsAt(there.url);
    client.stderr.push(`Agents ask for you there as ${await ownId("Ada")}`);
    const agent = await client.addAgent(["notification:send"]);
    another.hubElsewhere = { url: there.url, invitation: await invitationOf(there, "Ben") };
    await another.launch();
    await another.reconnected();
    const { manifest_version, manifest_digest } = await another.call("agents.find", {
      text: agent.id,
    });
    const shown = { agent_id: agent.id, manifest_version, manifest_digest };
    await another.call("agents.add", { ...shown, granted_scopes: ["notification:send"] });
    const { conversation_id: talk } = (await another.call("conversations.list", {}))[0] ?? {};
    const call = () => agent.sdk.callTool(talk ?? "", "send_notification", { title: "B" });
    expect(await call()).toEqual(notified.result);
    const stays = moved(agent);
    await move(`${elsewhere.url}/#${await invitationOf(elsewhere, "Ada")}`);
    expect(await stays).toMatchObject({ followed: false });
    expect(await call()).toEqual(notified.result);
  });
});
