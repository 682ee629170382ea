import { beforeEach, expect, test } from "vitest";
import { type AddedAgent, HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());
let added: AddedAgent;
let human: TestClient;
let agent: TestClient;
beforeEach(async () => {
  ({ added, human, agent } = await rig.talk());
});

const write = (type: string, stream_id = "s") =>
  agent.send({ type, stream_id, conversation_id: added.relation.conversation_id });

/** So that no connection counts as silent while time passes. */
const alive = async () => {
  for (const each of [human, agent]) each.send({ type: "pong" });
  await Promise.all([human.settled(), agent.settled()]);
};

test("a stream without a part for 30 s is ended, and both sides are told", async () => {
  write("stream.start");
  write("stream.delta");
  await human.next("stream.delta");
  rig.time.pass(29_999);
  write("stream.delta");
  await human.next("stream.delta");
  rig.time.pass(30_000);
  const error = { stream_id: "s", sender_id: added.agentId, code: "orphaned" };
  expect(await human.next("stream.error")).toMatchObject(error);
  expect(await agent.next("stream.error")).toMatchObject(error);
  write("stream.delta");
  write("stream.done");
  await agent.settled();
  await human.settled();
  expect(human.ofType("stream.delta")).toHaveLength(2);
  expect(human.ofType("stream.done")).toEqual([]);
});

test("a stream ends after five minutes, however busy it is", async () => {
  write("stream.start");
  await human.next("stream.start");
  for (let passed = 0; passed < 300_000; passed += 20_000) {
    write("stream.delta");
    await human.next("stream.delta");
    await alive();
    rig.time.pass(20_000);
  }
  expect(await human.next("stream.error")).toMatchObject({ code: "too_long" });
});

test("a stream that its sender ended leaves no timer", async () => {
  const before = rig.time.pending;
  for (const end of ["stream.done", "stream.abort"]) {
    write("stream.start");
    write(end);
    await human.next(end);
  }
  expect(rig.time.pending).toBe(before);
});

test("an agent has 64 streams open at most", async () => {
  for (let at = 0; at <= 64; at += 1) write("stream.start", `s${at}`);
  expect(await agent.next("stream.error")).toMatchObject({ stream_id: "s64", code: "too_many" });
  write("stream.done", "s0");
  write("stream.start", "s65");
  await agent.settled();
  await human.settled();
  expect(human.ofType("stream.start")).toHaveLength(65);
});

const flags = (supports_streaming: boolean) =>
  sampleManifest({ capability_flags: { supports_streaming } });

test("an agent whose manifest rules streams out has none, and is told so", async () => {
  await rig.patch(added, flags(false));
  for (const type of ["stream.start", "stream.delta", "stream.done"]) write(type);
  expect(await agent.next("stream.error")).toMatchObject({
    stream_id: "s",
    code: "streaming_unsupported",
  });
  await agent.settled();
  await human.settled();
  const relayed = human.frames.filter(({ type }) => /^stream\.(start|delta|done)$/.test(type));
  expect(relayed).toEqual([]);
  await rig.patch(added, flags(true));
  write("stream.start", "again");
  expect(await human.next("stream.start")).toMatchObject({ stream_id: "again" });
});

test("a stream that is open when the manifest rules it out ends for both sides", async () => {
  write("stream.start");
  write("stream.delta");
  await human.next("stream.delta");
  await rig.patch(added, flags(false));
  const error = { stream_id: "s", sender_id: added.agentId, code: "streaming_unsupported" };
  expect(await human.next("stream.error")).toMatchObject(error);
  expect(await agent.next("stream.error")).toMatchObject(error);
});
