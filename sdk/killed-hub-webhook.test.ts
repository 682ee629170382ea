import { createServer } from "node:http";
import { expect, it } from "vitest";
import { KILLS, KilledHub, LIMIT_MS } from "./testing/killed-hub.ts";

const TEXTS_BETWEEN = 6;
const ROUNDS = Math.min(KILLS, 8);

it(
  "posts to a webhook agent in order and loses nothing while the hub is killed",
  async () => {
    const hub = await KilledHub.start();
    const { agent, credentials } = await hub.add("Called", { connectionMode: "webhook" });
    const { conversationId } = credentials;
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      await agent.handleWebhook(request.headers, Buffer.concat(parts)).then(
        () => response.writeHead(204).end(),
        () => response.writeHead(400).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    hub.closing(() => server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await agent.receiveAt(`http://127.0.0.1:${port}`);
    const heard: string[] = [];
    agent.addMessageHandler(({ payload }) => void heard.push(String(payload.text)));
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
