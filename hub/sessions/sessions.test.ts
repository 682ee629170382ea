import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { HubRig, messageTo } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { openSocket, TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());

const inProcess = (): TestClient => new TestClient(rig.hub.connectHuman());

async function refusedWith(client: TestClient): Promise<[unknown, number]> {
  const { reason, i18n_key, message } = await client.next("auth.error");
  expect(i18n_key).toBe(`error.auth.${String(reason)}`);
  expect(message).toEqual(expect.any(String));
  return [reason, await client.closed];
}

test("a person is let in with an access token, in this process and over a WebSocket", async () => {
  const { client } = await openSocket(rig.wsUrl("/ws/human"));
  for (const connection of [client, inProcess()]) {
    connection.send({ type: "auth", token: rig.person });
    expect(await connection.next("auth.ok")).toEqual({
      type: "auth.ok",
      subject_id: rig.hub.userId,
    });
  }
});

test("a wrong token closes the connection with 4401", async () => {
  const { agentId, token } = await rig.addAgent();
  const other = await rig.addAgent();
  const attempts: [string, Record<string, unknown>][] = [
    ["/ws/human", { token: "x" }],
    ["/ws/human", { token, agent_id: agentId }],
    [`/ws/agent?agent_id=${agentId}`, { token: other.token }],
    [`/ws/agent?agent_id=${agentId}`, { token: rig.person }],
    [`/ws/agent?agent_id=${agentId}`, { token: other.token, agent_id: other.agentId }],
    ["/ws/agent?agent_id=nobody", { token }],
    ["/ws/agent", { token }],
  ];
  for (const [path, frame] of attempts) {
    const { client } = await openSocket(rig.wsUrl(path));
    client.send({ type: "auth", ...frame });
    expect(await refusedWith(client)).toEqual(["invalid_token", 4401]);
  }
});

test("a first frame that is no auth frame closes the connection", async () => {
  for (const text of ['{"type":"pong"}', "not json", '{"type":"auth"}', "[]"]) {
    const client = inProcess();
    client.sendText(text);
    expect(await refusedWith(client)).toEqual(["malformed_frame", 4401]);
  }
  const { client, raw } = await openSocket(rig.wsUrl("/ws/agent"));
  raw.send(Buffer.from([0, 255, 254, 1]));
  expect(await refusedWith(client)).toEqual(["malformed_frame", 4401]);
});

test("without an auth frame the connection is closed after five seconds", async () => {
  const client = inProcess();
  rig.time.pass(4_999);
  const punctual = inProcess();
  rig.time.pass(1);
  expect(await refusedWith(client)).toEqual(["auth_timeout", 4401]);
  punctual.send({ type: "auth", token: rig.person });
  await punctual.next("auth.ok");
});

test("frames sent right behind the auth frame are not lost", async () => {
  const { relation } = await rig.addAgent();
  const client = inProcess();
  client.send({ type: "auth", token: rig.person });
  expect((await client.says(relation.conversation_id, "eager")).client_message_id).toBe("eager");
});

test("unreadable frames are answered and the connection stays", async () => {
  const added = await rig.addAgent();
  const { client, raw } = await openSocket(rig.wsUrl(`/ws/agent?agent_id=${added.agentId}`));
  client.send({ type: "auth", token: added.token });
  await client.next("auth.ok");
  const faults: [() => void, string, object][] = [
    [() => raw.send(Buffer.from([0, 255, 1])), "malformed_frame", {}],
    [() => raw.send("{"), "malformed_frame", {}],
    [() => raw.send("7"), "malformed_frame", {}],
    [() => raw.send('{"type":5}'), "malformed_frame", {}],
    [() => raw.send('{"type":"fly"}'), "unknown_frame", {}],
    [
      () => raw.send('{"type":"message.send","client_message_id":"m"}'),
      "malformed_frame",
      { client_message_id: "m" },
    ],
  ];
  for (const [send, code, params] of faults) {
    send();
    expect((await client.next("frame.error")).error).toEqual({
      code,
      message: expect.any(String),
      i18n_key: `error.frame.${code}`,
      params,
    });
  }
  await client.says(added.relation.conversation_id, "still here");
});

test("the twentieth fault on one connection closes it with 4400", async () => {
  const human = await rig.human();
  for (let fault = 0; fault < 20; fault += 1) human.sendText("?");
  expect(await human.closed).toBe(4400);
  expect(human.ofType("frame.error")).toHaveLength(20);
});

test("a frame over 2 MiB closes the connection with 1009 and harms nobody else", async () => {
  const added = await rig.addAgent();
  const human = await rig.human();
  const { client, raw } = await openSocket(rig.wsUrl(`/ws/agent?agent_id=${added.agentId}`));
  client.send({ type: "auth", token: added.token });
  await client.next("auth.ok");
  raw.send("x".repeat(10 * 1024 * 1024));
  expect(await client.closed).toBe(1009);
  expect(await human.next("agent.presence")).toMatchObject({ online: false });
  await human.says(added.relation.conversation_id, "m");
});

test("a silent connection is pinged every 30 s and closed after 90 s", async () => {
  const human = await rig.human();
  for (let ping = 1; ping <= 2; ping += 1) {
    rig.time.pass(30_000);
    await human.next("ping");
  }
  rig.time.pass(29_999);
  await human.settled();
  const silent = await rig.human();
  rig.time.pass(90_000);
  expect(await silent.closed).toBe(4408);
});

test("any frame keeps a connection alive", async () => {
  const human = await rig.human();
  for (let round = 0; round < 5; round += 1) {
    rig.time.pass(60_000);
    await human.next("ping");
    human.send({ type: "pong" });
    await human.settled();
  }
  human.close();
  expect(await human.closed).toBe(1005);
});

test("a second connection of an agent replaces the first without a flicker of presence", async () => {
  const added = await rig.addAgent();
  const human = await rig.human();
  const first = await rig.agent(added);
  expect(await human.next("agent.presence")).toMatchObject({ online: false });
  expect(await human.next("agent.presence")).toMatchObject({ online: true });
  const second = await rig.agent(added);
  expect(await first.closed).toBe(4409);
  human.send(messageTo(added.relation.conversation_id, "m"));
  await second.next("message.new");
  expect(human.ofType("agent.presence")).toHaveLength(2);
  second.close();
  expect(await human.next("agent.presence")).toEqual({
    type: "agent.presence",
    agent_id: added.agentId,
    online: false,
  });
});

test("a person learns who is online right after auth.ok", async () => {
  const [online, offline] = [await rig.addAgent(), await rig.addAgent()];
  await rig.agent(online);
  const human = await rig.human();
  await human.settled();
  const states = human.ofType("agent.presence").map((frame) => [frame.agent_id, frame.online]);
  expect(states).toEqual([
    [online.agentId, true],
    [offline.agentId, false],
  ]);
});

test("every connection of the person gets what is for the person", async () => {
  const added = await rig.addAgent();
  const { client } = await openSocket(rig.wsUrl("/ws/human"));
  client.send({ type: "auth", token: rig.person });
  const local = await rig.human();
  await client.next("auth.ok");
  const agent = await rig.agent(added);
  agent.send(messageTo(added.relation.conversation_id, "m"));
  await local.next("message.new");
  await client.next("message.new");
});

test("tokens are kept only as their hash, and never reach the log", async () => {
  await rig.restart({ onDisk: true });
  const added = await rig.addAgent();
  const { client } = await openSocket(rig.wsUrl(`/ws/agent?agent_id=${added.agentId}`));
  client.send({ type: "auth", token: `${added.token}x` });
  await client.closed;
  expect(JSON.stringify(rig.log)).not.toContain("hsk_");
  await rig.restart();
  const folder = dirname(rig.file);
  const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(stored.some((file) => file.includes(added.agentId))).toBe(true);
  expect(stored.some((file) => file.includes("hsk_"))).toBe(false);
});
