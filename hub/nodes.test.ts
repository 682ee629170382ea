import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { turn } from "../app/contract/testing/manual-time.ts";
import { realClock } from "../sdk/options.ts";
import type { Wakes } from "./hub-nodes.ts";
import { natsWakes } from "./nats/nats-wakes.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { HubRig, messageTo, sampleManifest } from "./testing/hub-rig.ts";
import { InvitedPerson, invitationOf } from "./testing/invited-person.ts";
import type { TestClient } from "./testing/test-client.ts";
import { testNats } from "./testing/test-nats.ts";
import {
  dropTestDatabases,
  hasPostgres,
  onTestDatabase,
  testDatabase,
} from "./testing/test-postgres.ts";
import { WebhookEndpoint } from "./testing/webhook-endpoint.ts";

const silent = (): Wakes => ({ wake() {}, onWake() {}, close: async () => undefined });
const overNats = (nats: URL) => (nodeId: string) =>
  natsWakes(nats, nodeId, realClock, () => undefined);

const one = new HubRig();
const other = new HubRig();
let run = 0;
let database = "";

async function start(wakes?: (nodeId: string) => Wakes): Promise<void> {
  run += 1;
  database = await testDatabase(`${import.meta.filename} ${run}`);
  for (const rig of [one, other]) {
    await rig.start({
      open: (options) => openPostgres(database, { ...options, scheduler: realClock }),
      ...(wakes === undefined ? {} : { wakes }),
    });
  }
}
/** What nodes look for now and then, they look for now. */
async function beat(rig: HubRig): Promise<void> {
  const armed = rig.time.nextTimer();
  rig.time.pass(5_000);
  await armed;
}
/** The numbers of this many messages, as they come; a page is followed by another in a later turn. */
async function numbers(client: TestClient, count: number): Promise<unknown[]> {
  while (client.ofType("message.new").length < count) {
    await turn();
    other.time.pass(1);
  }
  return client.ofType("message.new").map(({ conversation_seq }) => conversation_seq);
}
const warnings: string[] = [];
const noteWarning = (warning: Error) => warnings.push(warning.message);
beforeAll(() => void process.on("warning", noteWarning));
afterAll(() => {
  process.off("warning", noteWarning);
  // Of `pg`, about two queries at once on one connection.
  expect(warnings).toEqual([]);
});
afterEach(async () => {
  await one.end();
  await other.end();
  await dropTestDatabases();
});

const ways = [
  ["NOTIFY", undefined] as const,
  ...(testNats === null ? [] : [["NATS", overNats(testNats)] as const]),
];

describe.runIf(hasPostgres).each(ways)("two nodes that wake each other over %s", (_, wakes) => {
  beforeEach(() => start(wakes));

  async function talk() {
    const added = await one.addAgent();
    const human = await one.human();
    const agent = await other.agent(added);
    return { added, human, agent, id: added.relation.conversation_id };
  }

  test("deliver messages to the other one's connections, once and in order", async () => {
    const { human, agent, id } = await talk();
    for (let nth = 0; nth < 40; nth += 1) human.send(messageTo(id, `m${nth}`));
    expect(await numbers(agent, 40)).toEqual(Array.from({ length: 40 }, (__, nth) => nth + 1));
    await agent.says(id, "back");
    expect(await human.next("message.new")).toMatchObject({ conversation_seq: 41 });
  });

  test("deliver what both take for one recipient, without leaving any out", async () => {
    const added = await one.addAgent();
    const agent = await other.agent(added);
    const id = added.relation.conversation_id;
    const [here, there] = [await one.human(), await other.human()];
    for (let nth = 0; nth < 30; nth += 1) {
      here.send(messageTo(id, `h${nth}`));
      there.send(messageTo(id, `t${nth}`));
    }
    expect(await numbers(agent, 60)).toEqual(Array.from({ length: 60 }, (__, nth) => nth + 1));
    await agent.says(id, "back");
    await Promise.all([here, there].map((each) => each.next("message.new")));
  });

  test("tell who is there, and that somebody has gone", async () => {
    const { agent, added, human } = await talk();
    const agent_id = added.agentId;
    expect(await human.next("agent.presence")).toMatchObject({ agent_id, online: false });
    expect(await human.next("agent.presence")).toMatchObject({ agent_id, online: true });
    const late = await one.human();
    expect(await late.next("agent.presence")).toMatchObject({ agent_id, online: true });
    agent.close();
    expect(await human.next("agent.presence")).toMatchObject({ agent_id, online: false });
  });

  test("replace an agent's connection without telling that it has gone", async () => {
    const { agent, added, human } = await talk();
    await human.next("agent.presence");
    await human.next("agent.presence");
    const again = await one.agent(added);
    expect(await agent.closed).toBe(4409);
    await again.says(added.relation.conversation_id, "still here");
    await human.next("message.new");
    expect(human.ofType("agent.presence")).toHaveLength(2);
  });

  test("end the connections of somebody who is removed or suspended", async () => {
    const { agent, added } = await talk();
    await one.asPerson("DELETE", `/h2a/relations/${added.relation.relation_id}`);
    expect(await agent.closed).toBe(4411);
  });

  test("relay typing and stream parts of any size, in order", async () => {
    const { agent, human, id } = await talk();
    agent.send({ type: "typing.start", conversation_id: id });
    expect(await human.next("typing.start")).toMatchObject({ conversation_id: id });
    const part = (type: string, encrypted_payload?: string) =>
      agent.send({ type, conversation_id: id, stream_id: "s", encrypted_payload });
    part("stream.start");
    const large = "A".repeat(100_000);
    for (const payload of [large, "BBBB", large]) part("stream.delta", payload);
    await human.next("stream.start");
    for (const payload of [large, "BBBB", large]) {
      expect((await human.next("stream.delta")).encrypted_payload).toBe(payload);
    }
  });

  test("share pairings: asked at one, answered at the other", async () => {
    const human = await other.human();
    const { pairing_id, pairing_token } = (await one.knock()).json.data;
    expect((await human.next("pairing.requested")).payload).toMatchObject({ pairing_id });
    const path = `/pairings/${pairing_id}`;
    const answer = { accept: true, granted_scopes: ["filesystem:read"] };
    expect((await other.asPerson("POST", `${path}/answer`, answer)).status).toBe(200);
    const { json } = await one.rest("GET", path, { token: pairing_token });
    const { agent_id: agentId, token, conversation_id } = json.data;
    const agent = await other.agent({ agentId, token });
    expect((await one.rest("GET", path, { token: pairing_token })).status).toBe(404);
    await human.says(conversation_id, "hello");
    await agent.next("message.new");
  });

  test("send an agent's breaking manifest to everybody, with the scopes of each", async () => {
    const { added, human } = await talk();
    const { permission_scopes } = sampleManifest();
    const scope = { id: "location:read", label_i18n_key: "l", sensitivity: "high" };
    const next = sampleManifest({ permission_scopes: [...permission_scopes, scope] });
    expect((await other.patch(added, next)).status).toBe(200);
    const { payload } = await human.next("h2a.reauth_required");
    expect(payload).toMatchObject({ scopes_requiring_reauth: ["location:read"] });
  });

  test("call a webhook agent from either, each message once", async () => {
    const endpoint = await WebhookEndpoint.open();
    try {
      const added = await one.addAgent();
      const { relation } = added;
      const change = { connection_mode: "webhook", webhook_url: endpoint.url };
      expect((await one.patch(added, change)).status).toBe(200);
      const human = await other.human();
      await human.says(relation.conversation_id, "m1");
      await endpoint.nth(1);
      const there = await one.human();
      await there.says(relation.conversation_id, "m2");
      await endpoint.nth(2);
      expect(endpoint.received).toHaveLength(2);
    } finally {
      await endpoint.close();
    }
  });

  test("leave an agent whose endpoint fails to one of them, which takes what both get", async () => {
    const endpoint = await WebhookEndpoint.open();
    try {
      endpoint.answers.push(500, 500, 500);
      const added = await one.addAgent();
      const { conversation_id } = added.relation;
      const change = { connection_mode: "webhook", webhook_url: endpoint.url };
      expect((await one.patch(added, change)).status).toBe(200);
      const [there, here] = [await other.human(), await one.human()];
      await there.says(conversation_id, "m1");
      const waits = (rig: HubRig) => rig.log.filter(({ code }) => code === "webhook_waits").length;
      await expect.poll(() => waits(other)).toBe(1);
      await here.says(conversation_id, "m2");
      await beat(one);
      for (const nth of [2, 3]) {
        other.time.pass(10_000);
        await expect.poll(() => waits(other)).toBe(nth);
      }
      other.time.pass(10_000);
      await endpoint.nth(5);
      expect(waits(one)).toBe(0);
      const texts = endpoint.received.map(({ json }) => json.metadata.conversation_seq);
      expect(texts).toEqual([1, 1, 1, 1, 2]);
    } finally {
      await endpoint.close();
    }
  });

  test("let a person in at either, and out at both", async () => {
    const ada = new InvitedPerson(other.url, "Ada");
    const invitation = await invitationOf(one, "Ada");
    expect((await ada.signIn({ invitation })).status).toBe(200);
    const device = await ada.connect();
    await device.next("auth.ok");
    expect((await one.asPerson("POST", "/people/Ada/suspend")).status).toBe(200);
    expect(await device.closed).toBe(4401);
    expect((await ada.signIn()).json.error.code).toBe("ACCOUNT_SUSPENDED");
  });
});

describe.runIf(hasPostgres)("a node that is not woken", () => {
  beforeEach(() => start(silent));

  test("finds messages and changes by asking", async () => {
    const added = await one.addAgent();
    const { relation } = added;
    const agent = await other.agent(added);
    const human = await one.human();
    await human.says(relation.conversation_id, "m");
    await beat(other);
    await agent.next("message.new");
    await one.asPerson("POST", `/h2a/relations/${relation.relation_id}/suspend`);
    await turn();
    await beat(other);
    await beat(other);
    expect((await agent.next("relation.suspended")).payload).toMatchObject({ status: "suspended" });
  });

  test("takes over from one that has died", async () => {
    const added = await one.addAgent();
    await one.agent(added);
    const human = await other.human();
    const online = async () => (await human.next("agent.presence")).online;
    expect(await online()).toBe(true);
    await onTestDatabase(database, "UPDATE nodes SET seen = now() - interval '1 minute'");
    await beat(other);
    expect(await online()).toBe(false);
    await beat(one);
    const late = await other.human();
    expect((await late.next("agent.presence")).online).toBe(true);
  });
});
