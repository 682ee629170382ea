import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { SeenDeliveries } from "./seen-deliveries.ts";
import { sealPayload } from "./testing/fake-hub.ts";
import { parseWebhookPayload } from "./webhook-payload.ts";
import { verifyWebhookSignature } from "./webhook-signature.ts";

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
  it("takes what the hub signed, however the headers are held", async () => {
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
  conversation_id: "talk",
  sender_id: "person",
  created_at: "2026-01-01T00:00:00.000Z",
  conversation_type: "h2a",
  conversation_seq: 7,
  message_id: "m",
  sender_type: "human",
  content_type: "text",
};
const envelope = (payload: object) => sealPayload(JSON.parse(JSON.stringify(payload)));
const delivery = (payload: object, over: object = {}) =>
  JSON.stringify({
    type: "message.new",
    version: "v1",
    wire_envelope: envelope(payload),
    metadata: METADATA,
    ...over,
  });

describe("parseWebhookPayload", () => {
  it("opens a message", () => {
    const text = { type: "text", text: "hello" };
    const { conversation_seq, ...head } = METADATA;
    expect(parseWebhookPayload(delivery(text))).toEqual({
      type: "message.new",
      conversation_seq,
      message: { ...head, payload: text },
    });
  });

  it("reads a tool response, and the older spelling of a refusal", () => {
    const artifact = { subtype: "tool_response", call_id: "c", status: "denied" };
    const body = delivery(
      { type: "artifact", artifact: { ...artifact, reason: "user_rejected" } },
      {
        type: "artifact_response",
        metadata: { ...METADATA, content_type: "artifact", msg_subtype: "artifact_response" },
      },
    );
    expect(parseWebhookPayload(body)).toEqual({
      type: "artifact_response",
      conversation_id: "talk",
      conversation_seq: 7,
      response: { call_id: "c", status: "denied", reason: "user_refused" },
    });
  });

  it("reads an event", () => {
    const payload = {
      relation_id: "r",
      agent_id: "a",
      user_id: "u",
      conversation_id: "talk",
      granted_scopes: [],
    };
    const body = { type: "relation.revoked", wire_envelope: null, payload };
    expect(parseWebhookPayload(delivery({}, body))).toEqual({
      type: "relation.revoked",
      conversation_id: "talk",
      payload,
    });
  });

  it.each([
    ["payload_not_json", "{"],
    ["payload_not_json", '{"type":"message.new","type":"message.new"}'],
    ["payload_malformed", "[]"],
    ["payload_malformed", delivery({}, { version: "v2" })],
    ["payload_malformed", delivery({}, { type: "from.a.newer.hub" })],
    ["payload_malformed", delivery({}, { metadata: {} })],
    ["envelope_unreadable", delivery({}, { wire_envelope: "/w==" })],
    ["envelope_unreadable", delivery({}, { wire_envelope: "AHs=" })],
  ])("says %s of what it cannot read", (code, body) => {
    expect(() => parseWebhookPayload(body)).toThrow(expect.objectContaining({ code }));
  });
});
