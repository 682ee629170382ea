import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { messageTo, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { WebhookRig } from "../testing/webhook-rig.ts";

const rig = ofEachTest(new WebhookRig());

describe("switching", () => {
  test("to a webhook closes the WebSocket, and what waited is posted", async () => {
    const other = await rig.addAgent();
    const agent = await rig.agent(other);
    rig.called.human.send(messageTo(other.relation.conversation_id, "m1"));
    await agent.next("message.new");
    await rig.switchOn(other);
    expect(await agent.closed).toBe(4410);
    expect((await rig.endpoint.nth(1)).json.metadata.conversation_id).toBe(
      other.relation.conversation_id,
    );
    expect((await rig.agentView(other.agentId)).connection_mode).toBe("webhook");
  });

  test("keeps the agent there all the time: the person's requests are not withdrawn", async () => {
    const other = await rig.addAgent();
    const agent = await rig.agent(other);
    await rig.switchOn(other);
    await agent.closed;
    await rig.called.human.settled();
    const told = rig.called.human
      .ofType("agent.presence")
      .filter(({ agent_id }) => agent_id === other.agentId);
    // When it was added, and when it connected.
    expect(told.map(({ online }) => online)).toEqual([false, true]);
  });

  test("leaves no way in over a WebSocket until it is switched back", async () => {
    const { agentId, token } = rig.called;
    const { client } = await rig.openAgentSocket(agentId);
    client.send({ type: "auth", agent_id: agentId, token });
    expect(await client.next("auth.error")).toMatchObject({ reason: "webhook_mode" });
    rig.endpoint.answers.push("hang");
    await rig.say("m1");
    await rig.endpoint.nth(1);
    const body = { connection_mode: "websocket" };
    await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
    const agent = await rig.agent(rig.called);
    expect(await agent.next("message.new")).toMatchObject({ conversation_seq: 1 });
    expect((await rig.agentView(agentId)).connection_mode).toBe("websocket");
  });

  test("again makes a new secret, which signs what was signed with the old one", async () => {
    rig.endpoint.answers.push(401);
    await rig.say("m1");
    await rig.failures(1);
    const next = await rig.switchOn(rig.called);
    expect(next).not.toBe(rig.called.secret);
    const { headers, rawBody } = await rig.endpoint.nth(2);
    const signed = `${headers["x-hashee-timestamp"]}.${headers["x-hashee-delivery-id"]}.${rawBody}`;
    expect(headers["x-hashee-signature"]).toBe(
      createHmac("sha256", next).update(signed).digest("hex"),
    );
  });

  test("is also possible where the agent is registered", async () => {
    const made = await rig.asPerson("POST", "/agents", {
      name: "Called",
      capability_manifest: sampleManifest(),
      connection_mode: "webhook",
      webhook_url: rig.endpoint.url,
    });
    expect([made.status, made.json.data.webhook_url]).toEqual([201, rig.endpoint.url]);
    expect(made.json.data.webhook_secret).toHaveLength(44);
    expect((await rig.agentView(made.json.data.agent_id)).connection_mode).toBe("webhook");
  });

  test("is refused without an address to go to, and with what does not fit", async () => {
    const path = `/agents/${rig.called.agentId}`;
    const body = { connection_mode: "webhook", webhook_url: rig.endpoint.url };
    for (const wrong of [
      { connection_mode: "webhook" },
      { connection_mode: "websocket", webhook_url: rig.endpoint.url },
      { connection_mode: "polling" },
      { ...body, capability_manifest: sampleManifest() },
    ]) {
      const { status, json } = await rig.asPerson("PATCH", path, wrong);
      expect([status, json.error.code]).toEqual([400, "BAD_REQUEST"]);
    }
  });
});
