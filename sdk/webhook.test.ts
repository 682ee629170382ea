import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  CONVERSATION_ID,
  correspondents,
  testEnd,
} from "../app/encryption/testing/correspondents.ts";
import { messageKind } from "../app/protocol/v1/message-sealing.ts";
import { nodePrimitives } from "../runtime/crypto/node-primitives.ts";
import { type EnvelopeOpener, parseWebhookPayload } from "./webhook-payload.ts";
import { SeenDeliveries, verifyWebhookSignature } from "./webhook-signature.ts";

const SECRET = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA==";
const NOW_S = 1_700_000_000;
const at = (ms: number) => ({ now: () => NOW_S * 1_000 + ms });
const WINDOW_MS = 300_000;

function signed(body: string, over: Record<string, string | undefined> = {}) {
  const id = "0189d0a0-0000-7000-8000-000000000001";
  const hmac = createHmac("sha256", SECRET).update(`${NOW_S}.${id}.${body}`).digest("hex");
  return {
    "X-Hashee-Signature": hmac,
    "X-Hashee-Timestamp": String(NOW_S),
    "X-Hashee-Delivery-Id": id,
    "X-Hashee-Agent-Id": "agent",
    ...over,
  };
}
const BODY = '{"text":"Grüße"}';

describe("verifyWebhookSignature", () => {
  it("accepts what the hub signed, whatever object holds the headers", async () => {
    const headers = signed(BODY);
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const each of [headers, lower, new Headers(headers as Record<string, string>)]) {
      expect(await verifyWebhookSignature(SECRET, each, BODY, at(0))).toBe(true);
      const bytes = new TextEncoder().encode(BODY);
      expect(await verifyWebhookSignature(SECRET, each, bytes, at(0))).toBe(true);
    }
  });

  it.each([WINDOW_MS, -WINDOW_MS])("takes it %d ms off, and not a moment more", async (ms) => {
    expect(await verifyWebhookSignature(SECRET, signed(BODY), BODY, at(ms))).toBe(true);
    const off = at(ms + Math.sign(ms));
    expect(await verifyWebhookSignature(SECRET, signed(BODY), BODY, off)).toBe(false);
  });

  it.each([
    ["another secret", `${SECRET}x`, {}, BODY],
    ["no secret", "", {}, BODY],
    ["another body", SECRET, {}, `${BODY} `],
    ["another timestamp", SECRET, { "X-Hashee-Timestamp": String(NOW_S + 1) }, BODY],
    ["another delivery", SECRET, { "X-Hashee-Delivery-Id": "other" }, BODY],
    ["no signature", SECRET, { "X-Hashee-Signature": undefined }, BODY],
    ["a signature that is no hex", SECRET, { "X-Hashee-Signature": "z".repeat(64) }, BODY],
    ["a short signature", SECRET, { "X-Hashee-Signature": "00" }, BODY],
    ["a timestamp that is no number", SECRET, { "X-Hashee-Timestamp": "1e9" }, BODY],
    ["two of a header", SECRET, { "x-hashee-signature": "0".repeat(64) }, BODY],
  ])("refuses %s", async (_, secret, over, body) => {
    expect(await verifyWebhookSignature(secret, signed(BODY, over), body, at(0))).toBe(false);
  });

  it("reads the clock of this computer when it is given none", async () => {
    expect(await verifyWebhookSignature(SECRET, signed(BODY), BODY)).toBe(false);
  });
});

describe("SeenDeliveries", () => {
  it("knows an id from when it was remembered until its time is over", () => {
    let now = 0;
    const seen = new SeenDeliveries({ keepMs: 10, now: () => now });
    expect(seen.has("a")).toBe(false);
    seen.remember("a");
    now = 10;
    expect(seen.has("a")).toBe(true);
    now = 11;
    expect(seen.has("a")).toBe(false);
  });

  it("forgets the oldest when there are too many", () => {
    const seen = new SeenDeliveries({ atMost: 2 });
    for (const id of ["a", "b", "a", "c"]) seen.remember(id);
    expect(["a", "b", "c"].map((id) => seen.has(id))).toEqual([true, false, true]);
  });
});

const METADATA = {
  conversation_id: CONVERSATION_ID,
  sender_id: "person-1",
  created_at: "2026-01-01T00:00:00.000Z",
  conversation_type: "h2a",
  conversation_seq: 7,
  message_id: "m",
  sender_type: "human",
  content_type: "text",
};
const ANSWER = { content_type: "artifact", msg_subtype: "artifact_response" } as const;

const body = (wire_envelope: string | null, over: object = {}) =>
  JSON.stringify({
    type: "message.new",
    version: "v1",
    wire_envelope,
    metadata: METADATA,
    ...over,
  });

/** A person, a webhook agent, and the deliveries the hub makes of the person's messages. */
async function called() {
  const { person, agent, world } = await correspondents(nodePrimitives, "sealed");
  const opener: EnvelopeOpener = {
    async openEnvelope(message) {
      const about = { ...message, kind: messageKind(message) };
      const opened = await agent.mail.open(message.encrypted_payload, about);
      await opened.kept();
      return { ...opened, callId: opened.call_id };
    },
  };
  const seal = (payload: object | string, kind = "text", call_id: string | null = null) =>
    person.mail.seal(
      new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload)),
      { conversation_id: CONVERSATION_ID, recipient_ids: [agent.id], kind, call_id },
    );
  return {
    world,
    person,
    agent,
    opener,
    seal,
    parse: (of: string) => parseWebhookPayload(of, opener),
  };
}

describe("parseWebhookPayload", () => {
  it("opens a message again until it is done, and then refuses it", async () => {
    const { seal, parse } = await called();
    const text = { type: "text", text: "hello" };
    const delivery = body(await seal(text));
    const { conversation_seq, ...head } = METADATA;
    for (const time of ["first", "again"]) {
      expect(await parse(delivery), time).toMatchObject({
        type: "message.new",
        conversation_seq,
        message: { ...head, payload: text },
      });
    }
    const payload = await parse(delivery);
    if (payload.type === "message.new") await payload.done();
    await expect(parse(delivery)).rejects.toMatchObject({ code: "already_received", status: 200 });
  });

  it("reads a tool response, and the older spelling of a refusal", async () => {
    const { seal, parse } = await called();
    const artifact = { subtype: "tool_response", call_id: "c", status: "denied" };
    const answer = { type: "artifact", artifact: { ...artifact, reason: "user_rejected" } };
    const delivery = body(await seal(answer, "artifact/artifact_response", "c"), {
      type: "artifact_response",
      metadata: { ...METADATA, ...ANSWER },
    });
    expect(await parse(delivery)).toMatchObject({
      type: "artifact_response",
      conversation_id: CONVERSATION_ID,
      conversation_seq: 7,
      response: { call_id: "c", status: "denied", reason: "user_refused" },
    });
  });

  const relation = {
    relation_id: "r",
    agent_id: "a",
    user_id: "u",
    conversation_id: "talk",
    granted_scopes: [],
    status: "revoked",
    connection_mode: "webhook",
  };
  const event = (payload: object) => body(null, { type: "relation.revoked", payload });

  it("reads an event", async () => {
    const { parse } = await called();
    expect(await parse(event(relation))).toEqual({
      type: "relation.revoked",
      conversation_id: CONVERSATION_ID,
      payload: relation,
    });
  });

  it.each([
    ["payload_not_json", "{", undefined],
    ["payload_not_json", '{"type":"message.new","type":"message.new"}', undefined],
    ["payload_malformed", "[]", undefined],
    ["payload_malformed", body("", { version: "v2" }), undefined],
    ["payload_malformed", body("", { type: "from.a.newer.hub" }), undefined],
    ["payload_malformed", body("", { metadata: {} }), undefined],
    ["payload_malformed", event({ ...relation, status: undefined }), undefined],
    ["envelope_unreadable", body("/w=="), "unsupported_version"],
    ["envelope_unreadable", body(btoa('\0{"type":"text","text":"plain"}')), "downgraded"],
  ])("says %s of what it cannot read", async (code, delivery, refusal) => {
    const { parse } = await called();
    const error = { name: "AgentError", code, refusal };
    await expect(parse(delivery)).rejects.toMatchObject(error);
  });

  it("refuses a message sealed as another kind, and content that is not JSON", async () => {
    const { seal, parse } = await called();
    const moved = body(await seal({ type: "text", text: "x" }), {
      metadata: { ...METADATA, ...ANSWER },
    });
    for (const delivery of [moved, body(await seal("{"))]) {
      await expect(parse(delivery)).rejects.toMatchObject({
        code: "envelope_unreadable",
        status: 400,
      });
    }
  });

  it("has the hub post a message with a changed key again", async () => {
    const { world, person, agent, parse } = await called();
    const other = await testEnd(world, person.id, "person");
    const card = agent.mail.card;
    const introduction = { level: "sealed", conversationId: CONVERSATION_ID } as const;
    await other.mail.introduce(agent.id, card, introduction);
    await agent.mail.introduce(person.id, other.mail.card, null);
    const about = { conversation_id: CONVERSATION_ID, kind: "text", call_id: null };
    const recipient_ids = [agent.id];
    const text = new TextEncoder().encode('{"type":"text","text":"it is me"}');
    const delivery = body(await other.mail.seal(text, { ...about, recipient_ids }));
    await expect(parse(delivery)).rejects.toMatchObject({ code: "key_changed", status: 503 });
    await agent.mail.acceptKey(person.id, agent.mail.peer(person.id)?.changed_to ?? "");
    expect(await parse(delivery)).toMatchObject({ message: { payload: { text: "it is me" } } });
  });

  it("throws keys_unavailable when keys cannot be read", async () => {
    const { agent, seal, parse } = await called();
    const delivery = body(await seal({ type: "text", text: "x" }));
    agent.records.isBroken = true;
    const failure = { code: "keys_unavailable", status: 503 };
    await expect(parse(delivery)).rejects.toMatchObject(failure);
  });
});
