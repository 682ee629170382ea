import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { turn } from "../app/contract/testing/manual-time.ts";
import { WEBHOOK_HEADERS } from "../app/protocol/v1/webhook.ts";
import { ofEachTest } from "../hub/testing/of-each-test.ts";
import { signatureOf } from "../hub/webhooks/post-delivery.ts";
import { AgentError, type AgentEvent, ToolCallError } from "./index.ts";
import { AGENT_ID, CONVERSATION, FakeHub, TOKEN, USER_ID } from "./testing/fake-hub.ts";
import { data, type RestAnswer, refusal } from "./testing/fake-rest.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";
import { PATIENT } from "./testing/scripted-person.ts";
import { startAgent } from "./testing/start-agent.ts";

const hub = ofEachTest(new LivedInHub());

/** An agent that a real hub calls on loopback. */
async function calledAgent() {
  const person = await hub.arrived(({ arguments: { path } }) =>
    path === "/no"
      ? { status: "denied", reason: "user_refused" }
      : { status: "ok", result: path ?? null },
  );
  const { agent, credentials } = await hub.pair({ connectionMode: "webhook" });
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const status = await agent.handleWebhook(request.headers, Buffer.concat(parts)).then(
      () => 204,
      ({ status }: AgentError) => status,
    );
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hub.closing(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await agent.receiveAt(`http://127.0.0.1:${port}`);
  return { agent, person, credentials };
}

describe("a webhook agent", () => {
  it("calls tools, many at once, and gets the answers from what the hub posts", async () => {
    const { agent, credentials } = await calledAgent();
    const read = (path: string) =>
      agent.callTool(credentials.conversationId, "read_file", { path });
    const paths = Array.from({ length: 10 }, (_, at) => `/${at}`);
    expect(await Promise.all(paths.map(read))).toEqual(paths);
    await expect(read("/no")).rejects.toBeInstanceOf(ToolCallError);
  });

  it("gets messages in order, and sends its own in order", async () => {
    const { agent, person, credentials } = await calledAgent();
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    const answers: Promise<unknown>[] = [];
    agent.addMessageHandler(({ conversation_id, payload }) => {
      answers.push(agent.send(conversation_id, { type: "text", text: `re: ${payload.text}` }));
    });
    await Promise.all(texts.map((text) => person.say(credentials.conversationId, text)));
    await expect.poll(() => person.texts, PATIENT).toEqual(texts.map((text) => `re: ${text}`));
    await Promise.all(answers);
  });

  it("is told of an event once, although the hub posts it again while its handlers run", async () => {
    const webhookSecret = "secret";
    const { agent, clock } = await startAgent(
      { connectionMode: "webhook", webhookSecret },
      new FakeHub({ level: "sealed" }),
    );
    const handled = Promise.withResolvers<void>();
    const events: AgentEvent[] = [];
    agent.addEventHandler((event) => {
      events.push(event);
      return handled.promise;
    });
    let answered = 0;
    const post = () =>
      agent
        .handleWebhook(...posted(REVOKED, webhookSecret, clock.now()))
        .then(() => (answered += 1));
    const posts = [post(), post()];
    await expect.poll(() => events.length).toBeGreaterThan(0);
    await turn();
    expect(answered).toBe(0);
    handled.resolve();
    await Promise.all(posts);
    await post();
    expect(events).toMatchObject([{ type: "relation.revoked" }]);
  });

  it("that gets another address meanwhile still answers what it handles, and handles it once", async () => {
    const hub = new FakeHub({ level: "sealed", answers: [data({ webhook_secret: "new" })] });
    const called = { connectionMode: "webhook", webhookSecret: "old" } as const;
    const { agent, clock } = await startAgent(called, hub);
    const handled = Promise.withResolvers<void>();
    const heard: unknown[] = [];
    agent.addMessageHandler(({ payload }) => {
      heard.push(payload.text);
      return handled.promise;
    });
    const { type, encrypted_payload, ...metadata } = await hub.say({ type: "text", text: "hi" });
    const body = { type, version: "v1", wire_envelope: encrypted_payload, metadata };
    const post = (secret: string) => agent.handleWebhook(...posted(body, secret, clock.now()));
    const first = post("old");
    await expect.poll(() => heard).toEqual(["hi"]);
    await agent.receiveAt("https://agent.example");
    await expect(post("old")).rejects.toMatchObject({ code: "signature_invalid" });
    const second = post("new");
    await turn();
    handled.resolve();
    await Promise.all([first, second]);
    expect(heard).toEqual(["hi"]);
  });

  it("refuses what the hub has not signed", async () => {
    const { agent } = await calledAgent();
    await expect(agent.handleWebhook({}, "{}")).rejects.toEqual(
      new AgentError("signature_invalid"),
    );
  });
});

/** What the hub posts, with its headers. */
function posted(value: object, secret: string, now: number) {
  const timestamp = String(Math.floor(now / 1_000));
  const body = Buffer.from(JSON.stringify(value));
  const headers = {
    [WEBHOOK_HEADERS.signature]: signatureOf(secret, timestamp, "delivery-1", body),
    [WEBHOOK_HEADERS.timestamp]: timestamp,
    [WEBHOOK_HEADERS.deliveryId]: "delivery-1",
  };
  return [headers, body] as const;
}

const REVOKED = {
  type: "relation.revoked",
  version: "v1",
  wire_envelope: null,
  metadata: {
    conversation_id: CONVERSATION,
    sender_id: USER_ID,
    created_at: "2026-01-01T00:00:00.000Z",
  },
  payload: {
    relation_id: "r",
    agent_id: AGENT_ID,
    user_id: USER_ID,
    conversation_id: CONVERSATION,
    status: "revoked",
    connection_mode: "webhook",
    granted_scopes: [],
  },
};

/** An agent whose hub is a list of answers. */
async function sending(...answers: RestAnswer[]) {
  const hub = new FakeHub({ level: "sealed", answers });
  const { agent, clock } = await startAgent({ connectionMode: "webhook" }, hub);
  const say = (text: string) => agent.send(CONVERSATION, { type: "text", text });
  return { rest: hub.rest, clock, agent, say };
}
const kept = (conversation_seq: number) => data({ message_id: "m", conversation_seq }, 201);

describe("sending over REST", () => {
  it("tries again until the hub answers, with the same id, and nothing overtakes", async () => {
    const { rest, clock, say } = await sending("lost", { status: 503, body: {} }, kept(1), kept(2));
    const sent = [say("one"), say("two")];
    await clock.advance(3_000);
    expect(await Promise.all(sent)).toEqual([
      { message_id: "m", conversation_seq: 1 },
      { message_id: "m", conversation_seq: 2 },
    ]);
    const ids = rest.requests.map(
      ({ body }) => (body as { client_message_id: string }).client_message_id,
    );
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(ids[3]).not.toBe(ids[0]);
    expect(rest.requests[0]).toMatchObject({
      method: "POST",
      path: `/conversations/${CONVERSATION}/messages`,
      authorization: `Bearer ${TOKEN}`,
    });
  });

  it("says when the hub's limit for calls is reached", async () => {
    const over = refusal(429, "RATE_LIMITED", { retry_after: 2, retry_after_ms: 1_500 });
    const { agent } = await sending(over);
    await expect(agent.callTool(CONVERSATION, "read_file", { path: "/a" })).rejects.toMatchObject({
      name: "ToolCallError",
      failure: { kind: "unsent", code: "RATE_LIMITED", retryAfterMs: 1_500 },
    });
  });

  it("ends with the agent: waiting messages are rejected, and no timer is left", async () => {
    const { agent, clock, say } = await sending("lost");
    const waiting = say("never").catch((error: unknown) => error);
    await clock.advance(0);
    agent.disconnect();
    expect(await waiting).toMatchObject({ code: "disconnected" });
    expect(clock.pending).toBe(0);
    await expect(agent.handleWebhook({}, "")).rejects.toMatchObject({
      code: "not_a_webhook_agent",
    });
  });
});
