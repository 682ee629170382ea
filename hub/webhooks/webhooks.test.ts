import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isWebhookBody } from "../../app/protocol/v1/webhook.ts";
import { type AddedAgent, HubRig, messageTo, sampleManifest } from "../testing/hub-rig.ts";
import type { TestClient } from "../testing/test-client.ts";
import { type Received, WebhookEndpoint } from "../testing/webhook-endpoint.ts";

const DAY_MS = 24 * 3_600_000;

let rig: HubRig;
let endpoint: WebhookEndpoint;
let added: AddedAgent;
let human: TestClient;
let secret: string;
beforeEach(async () => {
  rig = await HubRig.start();
  endpoint = await WebhookEndpoint.open();
  added = await rig.addAgent();
  secret = await switchOn(added);
  human = await rig.human();
});
afterEach(async () => {
  await rig.hub.close();
  await endpoint.close();
});

async function switchOn({ agentId, token }: AddedAgent, url = endpoint.url): Promise<string> {
  const body = { connection_mode: "webhook", webhook_url: url };
  const changed = await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  expect(changed.status).toBe(200);
  return changed.json.data.webhook_secret;
}

const say = async (id: string) => {
  human.send(messageTo(added.relation.conversation_id, id));
  await human.next("message.ack");
};

const idsOf = (posts: readonly Received[]) =>
  posts.map(({ headers }) => String(headers["x-hashee-delivery-id"]));
const seqsOf = (posts: readonly Received[]) =>
  posts.map(({ json }) => json.metadata.conversation_seq);

/** Resolves when this many attempts have failed, each with the timer of the next one set. */
const failures = (count: number) =>
  expect
    .poll(() => rig.log.filter(({ code }) => code === "webhook_waits"), { interval: 5 })
    .toHaveLength(count);

describe("a delivery", () => {
  test("is posted with its headers, signed over timestamp, id and the raw body", async () => {
    await say("m1");
    const { headers, rawBody, json } = await endpoint.nth(1);
    const timestamp = headers["x-hashee-timestamp"];
    const id = headers["x-hashee-delivery-id"];
    expect(timestamp).toBe(String(rig.time.now() / 1000));
    expect(headers["x-hashee-agent-id"]).toBe(added.agentId);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(headers["x-hashee-signature"]).toBe(
      createHmac("sha256", secret).update(`${timestamp}.${id}.${rawBody}`).digest("hex"),
    );
    expect(Buffer.from(secret, "base64")).toHaveLength(32);
    expect(isWebhookBody(json)).toBe(true);
    expect(json).toEqual({
      type: "message.new",
      version: "v1",
      wire_envelope: "AGhp",
      metadata: {
        conversation_id: added.relation.conversation_id,
        sender_id: rig.hub.userId,
        created_at: "2026-01-01T00:00:00.000Z",
        conversation_type: "h2a",
        conversation_seq: 1,
        message_id: expect.any(String),
        sender_type: "human",
        content_type: "text",
      },
    });
  });

  test("of a tool response says so in its type", async () => {
    const message = messageTo(added.relation.conversation_id, "m1");
    human.send({ ...message, content_type: "artifact", msg_subtype: "artifact_response" });
    expect((await endpoint.nth(1)).json).toMatchObject({
      type: "artifact_response",
      metadata: { msg_subtype: "artifact_response" },
    });
  });

  test.each([500, 404, 302])(
    "answered %d is sent again, unchanged, before the next",
    async (status) => {
      endpoint.answers.push(status);
      await say("m1");
      await say("m2");
      await failures(1);
      rig.time.pass(1_000);
      const posts = [await endpoint.nth(1), await endpoint.nth(2), await endpoint.nth(3)];
      const [first, again, next] = idsOf(posts);
      expect(again).toBe(first);
      expect(next).not.toBe(first);
      expect(posts[1]?.rawBody).toBe(posts[0]?.rawBody);
      expect(seqsOf(posts)).toEqual([1, 1, 2]);
    },
  );

  test("not answered within 10 s has failed", async () => {
    endpoint.answers.push("hang");
    await say("m1");
    await endpoint.nth(1);
    rig.time.pass(10_000);
    await failures(1);
    rig.time.pass(1_000);
    const [first, again] = idsOf([await endpoint.nth(1), await endpoint.nth(2)]);
    expect(again).toBe(first);
  });

  test("waits longer after each failure in a row, up to five minutes", async () => {
    const most = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000);
    endpoint.answers.push(...most.map(() => 503));
    await say("m1");
    const waited = () => rig.log.flatMap((event) => ("ms" in event ? [Number(event.ms)] : []));
    for (const [before] of most.entries()) {
      await failures(before + 1);
      rig.time.pass(waited()[before] ?? 0);
    }
    await endpoint.nth(most.length + 1);
    for (const [at, ms] of most.entries()) {
      expect(waited()[at]).toBeLessThanOrEqual(ms);
      expect(waited()[at]).toBeGreaterThanOrEqual(ms * 0.75);
    }
  });

  test("in one conversation does not wait for another", async () => {
    const group = { type: "group", agent_ids: [added.agentId] };
    const made = await rig.asPerson("POST", "/conversations", group);
    endpoint.answers.push("hang");
    await say("stuck");
    await endpoint.nth(1);
    human.send(messageTo(made.json.data.conversation_id, "free"));
    const { json } = await endpoint.nth(2);
    expect(json.metadata.conversation_type).toBe("group");
  });

  test("is given up a day after it came about, with all that is as old", async () => {
    endpoint.answers.push(500);
    await say("m1");
    await say("m2");
    await failures(1);
    // The second attempt begins on the way, and is not answered in time.
    rig.time.pass(DAY_MS + 1);
    await failures(2);
    await expect
      .poll(() => rig.log.filter(({ code }) => code === "webhook_gave_up"))
      .toHaveLength(2);
    // The person's own connection was silent for that long as well.
    human = await rig.human();
    await say("m3");
    rig.time.pass(2_000);
    await expect.poll(() => seqsOf(endpoint.received).at(-1)).toBe(3);
  });
});

describe("switching", () => {
  test("to a webhook closes the WebSocket, and what waited is posted", async () => {
    const other = await rig.addAgent();
    const agent = await rig.agent(other);
    human.send(messageTo(other.relation.conversation_id, "m1"));
    await agent.next("message.new");
    await switchOn(other);
    expect(await agent.closed).toBe(4410);
    expect((await endpoint.nth(1)).json.metadata.conversation_id).toBe(
      other.relation.conversation_id,
    );
    expect((await rig.agentView(other.agentId)).connection_mode).toBe("webhook");
  });

  test("keeps the agent there all the time: the person's requests are not withdrawn", async () => {
    const other = await rig.addAgent();
    const agent = await rig.agent(other);
    await switchOn(other);
    await agent.closed;
    await human.settled();
    const told = human
      .ofType("agent.presence")
      .filter(({ agent_id }) => agent_id === other.agentId);
    expect(told.map(({ online }) => online)).toEqual([true]);
  });

  test("leaves no way in over a WebSocket until it is switched back", async () => {
    const { agentId, token } = added;
    const { client } = await rig.openAgentSocket(agentId);
    client.send({ type: "auth", agent_id: agentId, token });
    expect(await client.next("auth.error")).toMatchObject({ reason: "webhook_mode" });
    endpoint.answers.push("hang");
    await say("m1");
    await endpoint.nth(1);
    const body = { connection_mode: "websocket" };
    await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
    const agent = await rig.agent(added);
    expect(await agent.next("message.new")).toMatchObject({ conversation_seq: 1 });
    expect((await rig.agentView(agentId)).connection_mode).toBe("websocket");
  });

  test("again makes a new secret, which signs what was signed with the old one", async () => {
    endpoint.answers.push(401);
    await say("m1");
    await failures(1);
    const next = await switchOn(added);
    expect(next).not.toBe(secret);
    const { headers, rawBody } = await endpoint.nth(2);
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
      webhook_url: endpoint.url,
    });
    expect([made.status, made.json.data.webhook_url]).toEqual([201, endpoint.url]);
    expect(made.json.data.webhook_secret).toHaveLength(44);
    expect((await rig.agentView(made.json.data.agent_id)).connection_mode).toBe("webhook");
  });

  test("is refused to strangers, and without an address to go to", async () => {
    const path = `/agents/${added.agentId}`;
    const body = { connection_mode: "webhook", webhook_url: endpoint.url };
    const stranger = await rig.addAgent();
    expect((await rig.rest("PATCH", path, { body, token: stranger.token })).status).toBe(401);
    for (const wrong of [
      { connection_mode: "webhook" },
      { connection_mode: "websocket", webhook_url: endpoint.url },
      { connection_mode: "polling" },
      { ...body, capability_manifest: sampleManifest() },
    ]) {
      const { status, json } = await rig.asPerson("PATCH", path, wrong);
      expect([status, json.error.code]).toEqual([400, "BAD_REQUEST"]);
    }
  });
});

describe("a webhook agent", () => {
  test("sends over REST with its token", async () => {
    const { conversation_id } = added.relation;
    const { type: _, conversation_id: __, ...body } = messageTo(conversation_id, "a1");
    const path = `/conversations/${conversation_id}/messages`;
    expect((await rig.rest("POST", path, { token: added.token, body })).status).toBe(201);
    expect(await human.next("message.new")).toMatchObject({ sender_id: added.agentId });
  });

  test("hears of its relations in their order among the messages", async () => {
    const { relation } = added;
    const path = `/h2a/relations/${relation.relation_id}`;
    endpoint.answers.push(500);
    await say("m1");
    await failures(1);
    await rig.asPerson("PATCH", path, { granted_scopes: [] });
    await say("m2");
    rig.time.pass(1_000);
    await endpoint.nth(4);
    await rig.asPerson("DELETE", path);
    await endpoint.nth(5);
    const again = { agent_id: added.agentId, granted_scopes: ["notification:send"] };
    await rig.asPerson("POST", "/h2a/relations", again);
    const { json } = await endpoint.nth(6);
    expect(endpoint.types).toEqual([
      "message.new",
      "message.new",
      "relation.updated",
      "message.new",
      "relation.revoked",
      "relation.established",
    ]);
    expect(isWebhookBody(json)).toBe(true);
    expect(json).toMatchObject({
      wire_envelope: null,
      metadata: { conversation_id: relation.conversation_id, sender_id: rig.hub.userId },
      payload: { agent_id: added.agentId, granted_scopes: ["notification:send"] },
    });
  });

  test("hears that its manifest needs consent again, and what the person said", async () => {
    const { agentId: id, token, relation } = added;
    const { permission_scopes: scopes } = sampleManifest();
    const more = { id: "clipboard:read", label_i18n_key: "scope.clip", sensitivity: "medium" };
    const body = sampleManifest({ permission_scopes: [...scopes, more] });
    expect((await rig.rest("PATCH", `/agents/${id}`, { token, body })).status).toBe(200);
    const reauth = (await endpoint.nth(1)).json;
    expect(reauth).toMatchObject({
      type: "h2a.reauth_required",
      payload: { agent_id: id, new_manifest_version: 2, scopes_requiring_reauth: [more.id] },
    });
    const granted_scopes = ["filesystem:read", more.id];
    const answer = { granted_scopes, capability_manifest_version: 2 };
    await rig.asPerson("PATCH", `/h2a/relations/${relation.relation_id}`, answer);
    const said = (await endpoint.nth(3)).json;
    expect(said).toMatchObject({
      type: "agent.capability_changed",
      payload: { capability_manifest_version: 2, accepted: true, granted_scopes },
    });
    expect([reauth, said].map(isWebhookBody)).toEqual([true, true]);
    await rig.asPerson("PATCH", `/h2a/relations/${relation.relation_id}`, { granted_scopes: [] });
    await say("last");
    await endpoint.nth(5);
    expect(endpoint.types.slice(3)).toEqual(["relation.updated", "message.new"]);
  });
});

test("a hub that ends leaves no timer and no post behind", async () => {
  endpoint.answers.push(500, "hang");
  await say("m1");
  await failures(1);
  rig.time.pass(1_000);
  await endpoint.nth(2);
  await rig.hub.close();
  expect(rig.time.pending).toBe(0);
});
