import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { HasheeAgent } from "./index.ts";
import { hasty, KILLS, KilledHub, LIMIT_MS } from "./testing/killed-hub.ts";
import { MANIFEST } from "./testing/start-agent.ts";

const TEXTS_BETWEEN = 6;
const ROUNDS = Math.min(KILLS, 8);

let killed: KilledHub | undefined;
afterEach(async () => {
  await killed?.end();
  killed = undefined;
});

it(
  "posts to a webhook agent in order and loses nothing while the hub is killed",
  async () => {
    const hub = await KilledHub.start();
    killed = hub;
    const { agent: connected, credentials } = await hub.add("Called");
    connected.disconnect();
    const { agentId, token, conversationId } = credentials;
    let called: HasheeAgent | undefined;
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const taken = called?.handleWebhook(request.headers, Buffer.concat(parts));
      await taken?.then(
        () => response.writeHead(204).end(),
        () => response.writeHead(400).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    hub.closing(() => server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const switched = await fetch(`${hub.url}/agents/${agentId}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ connection_mode: "webhook", webhook_url: `http://127.0.0.1:${port}` }),
    });
    const { data } = await switched.json();
    const heard: string[] = [];
    called = await HasheeAgent.init({
      agentId,
      token,
      baseUrl: hub.url,
      connectionMode: "webhook",
      webhookSecret: data.webhook_secret,
      manifest: MANIFEST,
      clock: hasty,
    });
    hub.closing(() => called?.disconnect());
    called.addMessageHandler(({ payload }) => void heard.push(String(payload.text)));
    const written: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const known = heard.length;
      for (let at = 0; at < TEXTS_BETWEEN; at += 1) {
        written.push(`text ${round}.${at}`);
        void hub.person.say(conversationId, `text ${round}.${at}`);
      }
      await expect.poll(() => heard.length, { timeout: LIMIT_MS }).toBeGreaterThan(known);
      await hub.killAndStart();
    }
    await expect.poll(() => heard.length, { timeout: LIMIT_MS }).toBe(written.length);
    // Whatever would still come twice comes before this.
    await hub.killAndStart();
    void hub.person.say(conversationId, "last");
    await expect.poll(() => heard.at(-1), { timeout: LIMIT_MS }).toBe("last");
    expect(heard).toEqual([...written, "last"]);
  },
  LIMIT_MS,
);
