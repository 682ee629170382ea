import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { KillableHub } from "../hub/testing/killable-hub.ts";
import { realClock } from "./clock.ts";
import { HasheeAgent } from "./index.ts";
import { MANIFEST } from "./testing/start-agent.ts";
import { WritingPerson } from "./testing/writing-person.ts";

/** `CONSENTRY_HUB_KILLS=200` for a long look. */
const KILLS = Number(process.env.CONSENTRY_HUB_KILLS ?? 20);
const TEXTS_BETWEEN = 6;
const LIMIT_MS = 60_000 + KILLS * 5_000;

/** Waits twenty times shorter between attempts; the order of things is the same. */
const hasty = {
  ...realClock,
  after: (ms: number, run: () => void) => realClock.after(ms < 60_000 ? ms / 20 : ms, run),
};

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function meet() {
  const hub = new KillableHub();
  closing.push(() => hub.end());
  const said = await hub.start();
  const person = new WritingPerson(said, hasty);
  closing.push(() => person.leave());
  await person.arrive();
  const paired = HasheeAgent.pair({
    name: "Steady",
    manifest: MANIFEST,
    baseUrl: said.url,
    onCode: () => {},
    clock: hasty,
  });
  await person.accept();
  const { agent, credentials } = await paired;
  closing.push(() => agent.disconnect());
  return { hub, said, person, agent, credentials };
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`);

it(
  `brings every message once and in order, both ways, while the hub is killed ${KILLS} times`,
  async () => {
    const { hub, person, agent, credentials } = await meet();
    const { conversationId } = credentials;
    const heard: string[] = [];
    agent.addMessageHandler(({ payload }) => void heard.push(String(payload.text)));
    const fromPerson = numbered("person", KILLS * TEXTS_BETWEEN);
    const fromAgent = numbered("agent", KILLS * TEXTS_BETWEEN);
    const sent: Promise<unknown>[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const now = kill * TEXTS_BETWEEN;
      for (const text of fromPerson.slice(now, now + TEXTS_BETWEEN))
        person.say(conversationId, text);
      for (const text of fromAgent.slice(now, now + TEXTS_BETWEEN)) {
        sent.push(agent.send(conversationId, { type: "text", text }));
      }
      // The kill falls somewhere into the traffic: once this one is through, the rest is on its way.
      if (kill % 2 === 0) await sent[now];
      await hub.kill();
      person.token = (await hub.start()).token;
    }
    await Promise.all(sent);
    await expect.poll(() => heard.length, { timeout: LIMIT_MS }).toBe(fromPerson.length);
    await expect.poll(() => person.texts.length, { timeout: LIMIT_MS }).toBe(fromAgent.length);
    expect(heard).toEqual(fromPerson);
    expect(person.texts).toEqual(fromAgent);
  },
  LIMIT_MS,
);

it(
  "posts to a webhook agent in order and loses nothing while the hub is killed",
  async () => {
    const { hub, said, person, agent: connected, credentials } = await meet();
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
    closing.push(() => server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const switched = await fetch(`${said.url}/agents/${agentId}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ connection_mode: "webhook", webhook_url: `http://127.0.0.1:${port}` }),
    });
    const { data } = await switched.json();
    const heard: string[] = [];
    called = await HasheeAgent.init({
      agentId,
      token,
      baseUrl: said.url,
      connectionMode: "webhook",
      webhookSecret: data.webhook_secret,
      manifest: MANIFEST,
      clock: hasty,
    });
    closing.push(() => called?.disconnect());
    called.addMessageHandler(({ payload }) => void heard.push(String(payload.text)));
    const texts = numbered("person", Math.min(KILLS, 8) * TEXTS_BETWEEN);
    for (let at = 0; at < texts.length; at += TEXTS_BETWEEN) {
      for (const text of texts.slice(at, at + TEXTS_BETWEEN)) person.say(conversationId, text);
      await expect.poll(() => heard.length, { timeout: LIMIT_MS }).toBeGreaterThan(at);
      await hub.kill();
      person.token = (await hub.start()).token;
    }
    await expect.poll(() => heard.length, { timeout: LIMIT_MS }).toBe(texts.length);
    expect(heard).toEqual(texts);
  },
  LIMIT_MS,
);
