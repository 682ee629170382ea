import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MemoryRecords } from "../../../app/encryption/testing/correspondents.ts";
import {
  AgentError,
  HasheeAgent,
  parseWebhookPayload,
  verifyWebhookSignature,
} from "../../../sdk/index.ts";
import { eventually } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import { TestAgent } from "../testing/test-agent.ts";
import { MANIFEST } from "../testing/test-manifest.ts";

/** The hub, the client, an agent and its server in one process that may be slow. */
const PATIENCE_MS = 90_000;

describe("an agent behind a webhook", { timeout: PATIENCE_MS }, () => {
  const bodies: string[] = [];
  const heard: unknown[] = [];
  let client: LaunchedClient;
  let agent: TestAgent;
  let server: Server;
  let secret = "";

  /** Messages the server's own way, everything else to the SDK's. */
  async function take(request: IncomingMessage, body: Buffer): Promise<void> {
    if (JSON.parse(body.toString()).type !== "message.new") {
      return agent.sdk.handleWebhook(request.headers, body);
    }
    if (!(await verifyWebhookSignature(secret, request.headers, body))) {
      throw new AgentError("signature_invalid");
    }
    const payload = await parseWebhookPayload(body, agent.sdk);
    if (payload.type !== "message.new") return;
    heard.push(payload.message.payload.text);
    await payload.done();
  }

  beforeEach(async () => {
    client = await LaunchedClient.start();
    const code = Promise.withResolvers<string>();
    const pairing = HasheeAgent.pair({
      name: "Called",
      manifest: MANIFEST,
      baseUrl: client.hubUrl,
      onCode: code.resolve,
      connectionMode: "webhook",
      keyStore: new MemoryRecords(),
    });
    await client.acceptPairing(await code.promise, ["notification:send"]);
    const { agent: sdk, credentials } = await pairing;
    agent = new TestAgent(sdk, credentials);
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const body = Buffer.concat(parts);
      bodies.push(body.toString());
      const status = await take(request, body).then(
        () => 204,
        (error: AgentError) => error.status,
      );
      response.writeHead(status).end();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    secret = await sdk.receiveAt(`http://127.0.0.1:${port}`);
  }, PATIENCE_MS);

  afterEach(() => {
    agent.sdk.disconnect();
    server.close();
  });

  it("has its calls run and gets messages, sealed at the levels that the person is shown", async () => {
    const { conversationId: conversation_id, userId } = agent.credentials;
    const [key] = (await client.snapshot()).keys.agents;
    const safety = await eventually(() => agent.sdk.safetyNumber(userId).catch(() => undefined));
    expect(key).toMatchObject({ agent_id: agent.id, level: "sealed", safety });

    expect(await agent.notify("From outside")).toEqual({ result: { shown: true, folded: false } });
    expect(client.platform.shown.map(({ title }) => title)).toEqual(["Called: From outside"]);

    const text = "nobody between us reads this";
    const client_message_id = "written-1";
    await client.call("conversations.send", { conversation_id, text, client_message_id });
    expect(await eventually(async () => heard[0])).toBe(text);
    const envelopes = bodies.map((body) => JSON.parse(body).wire_envelope ?? "");
    const opened = envelopes.map((wire) => Buffer.from(wire, "base64").toString("latin1"));
    expect(opened.some((bytes) => bytes.includes(conversation_id))).toBe(true);
    expect([...bodies, ...opened].join("\n")).not.toContain(text);
  });
});
