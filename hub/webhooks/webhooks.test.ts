import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isWebhookBody } from "../../app/protocol/v1/webhook.ts";
import { messageTo, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { Received } from "../testing/webhook-endpoint.ts";
import { WebhookRig } from "../testing/webhook-rig.ts";

const DAY_MS = 24 * 3_600_000;

const rig = ofEachTest(new WebhookRig());

const idsOf = (posts: readonly Received[]) =>
  posts.map(({ headers }) => String(headers["x-hashee-delivery-id"]));
const seqsOf = (posts: readonly Received[]) =>
  posts.map(({ json }) => json.metadata.conversation_seq);

describe("a delivery", () => {
  test("is posted with its headers, signed over timestamp, id and the raw body", async () => {
    await rig.say("m1");
    const { headers, rawBody, json } = await rig.endpoint.nth(1);
    const timestamp = headers["x-hashee-timestamp"];
    const id = headers["x-hashee-delivery-id"];
    expect(timestamp).toBe(String(rig.time.now() / 1000));
    expect(headers["x-hashee-agent-id"]).toBe(rig.called.agentId);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(headers["x-hashee-signature"]).toBe(
      createHmac("sha256", rig.called.secret).update(`${timestamp}.${id}.${rawBody}`).digest("hex"),
    );
    expect(Buffer.from(rig.called.secret, "base64")).toHaveLength(32);
    expect(isWebhookBody(json)).toBe(true);
    expect(json).toEqual({
      type: "message.new",
      version: "v1",
      wire_envelope: "AGhp",
      metadata: {
        conversation_id: rig.called.relation.conversation_id,
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
    const message = messageTo(rig.called.relation.conversation_id, "m1");
    rig.called.human.send({
      ...message,
      content_type: "artifact",
      msg_subtype: "artifact_response",
    });
    expect((await rig.endpoint.nth(1)).json).toMatchObject({
      type: "artifact_response",
      metadata: { msg_subtype: "artifact_response" },
    });
  });

  test.each([500, 404, 302])(
    "answered %d is sent again, unchanged, before the next",
    async (status) => {
      rig.endpoint.answers.push(status);
      await rig.say("m1");
      await rig.say("m2");
      await rig.failures(1);
      rig.time.pass(1_000);
      await rig.endpoint.nth(3);
      const posts = rig.endpoint.received;
      const [first, again, next] = idsOf(posts);
      expect(again).toBe(first);
      expect(next).not.toBe(first);
      expect(posts[1]?.rawBody).toBe(posts[0]?.rawBody);
      expect(seqsOf(posts)).toEqual([1, 1, 2]);
    },
  );

  test("not answered within 10 s has failed", async () => {
    rig.endpoint.answers.push("hang");
    await rig.say("m1");
    await rig.endpoint.nth(1);
    rig.time.pass(10_000);
    await rig.failures(1);
    rig.time.pass(1_000);
    const [first, again] = idsOf([await rig.endpoint.nth(1), await rig.endpoint.nth(2)]);
    expect(again).toBe(first);
  });

  test("waits longer after each failure in a row, up to five minutes", async () => {
    const most = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000);
    rig.endpoint.answers.push(...most.map(() => 503));
    await rig.say("m1");
    const waited = () => rig.log.flatMap((event) => ("ms" in event ? [Number(event.ms)] : []));
    for (const [before] of most.entries()) {
      await rig.failures(before + 1);
      rig.time.pass(waited()[before] ?? 0);
    }
    await rig.endpoint.nth(most.length + 1);
    for (const [at, ms] of most.entries()) {
      expect(waited()[at]).toBeLessThanOrEqual(ms);
      expect(waited()[at]).toBeGreaterThanOrEqual(ms * 0.75);
    }
  });

  test("in one conversation does not wait for another", async () => {
    const made = await rig.group(rig.called);
    rig.endpoint.answers.push("hang");
    await rig.say("stuck");
    await rig.endpoint.nth(1);
    rig.called.human.send(messageTo(made.json.data.conversation_id, "free"));
    const { json } = await rig.endpoint.nth(2);
    expect(json.metadata.conversation_type).toBe("group");
  });

  test("is given up after a day, with everything else that old", async () => {
    rig.endpoint.answers.push(500, 500);
    await rig.say("m1");
    await rig.say("m2");
    await rig.failures(1);
    rig.time.pass(DAY_MS + 1);
    await rig.failures(2);
    await expect
      .poll(() => rig.log.filter(({ code }) => code === "webhook_gave_up"))
      .toHaveLength(2);
    // The person's own connection was silent for that long as well.
    rig.called.human = await rig.human();
    await rig.say("m3");
    rig.time.pass(2_000);
    await expect.poll(() => seqsOf(rig.endpoint.received).at(-1)).toBe(3);
  });
});

describe("a webhook agent", () => {
  test("sends over REST with its token", async () => {
    const { conversation_id } = rig.called.relation;
    const { type: _, conversation_id: __, ...body } = messageTo(conversation_id, "a1");
    const path = `/conversations/${conversation_id}/messages`;
    expect((await rig.rest("POST", path, { token: rig.called.token, body })).status).toBe(201);
    expect(await rig.called.human.next("message.new")).toMatchObject({
      sender_id: rig.called.agentId,
    });
  });

  test("gets events about its relations in order among the messages", async () => {
    const { relation } = rig.called;
    const path = `/h2a/relations/${relation.relation_id}`;
    rig.endpoint.answers.push(500);
    await rig.say("m1");
    await rig.failures(1);
    await rig.asPerson("PATCH", path, { granted_scopes: [] });
    await rig.say("m2");
    rig.time.pass(1_000);
    await rig.endpoint.nth(4);
    await rig.asPerson("DELETE", path);
    await rig.endpoint.nth(5);
    const again = { agent_id: rig.called.agentId, granted_scopes: ["notification:send"] };
    await rig.asPerson("POST", "/h2a/relations", again);
    const { json } = await rig.endpoint.nth(6);
    expect(rig.endpoint.types).toEqual([
      "message.new",
      "message.new",
      "relation.updated",
      "message.new",
      "relation.revoked",
      "relation.established",
    ]);
    expect(rig.endpoint.received.filter((each) => !isWebhookBody(each.json))).toEqual([]);
    expect(json).toMatchObject({
      wire_envelope: null,
      metadata: { conversation_id: relation.conversation_id, sender_id: rig.hub.userId },
      payload: { agent_id: rig.called.agentId, granted_scopes: ["notification:send"] },
    });
  });

  test("learns that its manifest needs consent again, and the person's answer", async () => {
    const { agentId: id, token, relation } = rig.called;
    const { permission_scopes: scopes } = sampleManifest();
    const more = { id: "clipboard:read", label_i18n_key: "scope.clip", sensitivity: "medium" };
    const body = sampleManifest({ permission_scopes: [...scopes, more] });
    expect((await rig.rest("PATCH", `/agents/${id}`, { token, body })).status).toBe(200);
    const reauth = (await rig.endpoint.nth(1)).json;
    expect(reauth).toMatchObject({
      type: "h2a.reauth_required",
      payload: { agent_id: id, new_manifest_version: 2, scopes_requiring_reauth: [more.id] },
    });
    const granted_scopes = ["filesystem:read", more.id];
    const answer = { granted_scopes, capability_manifest_version: 2 };
    await rig.asPerson("PATCH", `/h2a/relations/${relation.relation_id}`, answer);
    const said = (await rig.endpoint.nth(3)).json;
    expect(said).toMatchObject({
      type: "agent.capability_changed",
      payload: { capability_manifest_version: 2, accepted: true, granted_scopes },
    });
    expect([reauth, said].map(isWebhookBody)).toEqual([true, true]);
    await rig.asPerson("PATCH", `/h2a/relations/${relation.relation_id}`, { granted_scopes: [] });
    await rig.say("last");
    await rig.endpoint.nth(5);
    expect(rig.endpoint.types.slice(3)).toEqual(["relation.updated", "message.new"]);
  });
});

test("a hub that ends leaves no timer and no post behind", async () => {
  rig.endpoint.answers.push(500, "hang");
  await rig.say("m1");
  await rig.failures(1);
  rig.time.pass(1_000);
  await rig.endpoint.nth(2);
  await rig.hub.close();
  expect(rig.time.pending).toBe(0);
});
