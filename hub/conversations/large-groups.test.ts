import { beforeEach, expect, test } from "vitest";
import { HubRig } from "../testing/hub-rig.ts";
import { crowd, MANY_TOKEN, manyId } from "../testing/many-agents.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig(), { onDisk: true });
let human: TestClient;
let first: TestClient;
beforeEach(async () => {
  await crowd(rig);
  human = await rig.human();
  first = await rig.agent({ agentId: manyId(0), token: MANY_TOKEN });
});

const ids = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => manyId(from + at));
const make = (agent_ids: readonly string[]) =>
  rig.asPerson("POST", "/conversations", { type: "group", agent_ids });
const add = (id: string, agent_ids: readonly string[]) =>
  rig.asPerson("POST", `/conversations/${id}/members`, { agent_ids });

test("a group has 500 members at most, people included, and messages reach them", async () => {
  const full = await make(ids(0, 499));
  expect(full.json.data.member_count).toBe(500);
  const { conversation_id } = full.json.data;
  const over = await add(conversation_id, [manyId(499)]);
  expect(over).toMatchObject({
    status: 409,
    json: { error: { code: "GROUP_FULL", params: { members_at_most: 500 } } },
  });
  expect((await make(ids(0, 500))).status).toBe(400);
  await human.says(conversation_id, "to all");
  expect(await first.next("message.new")).toMatchObject({ conversation_type: "group" });
  const path = `/conversations/${conversation_id}/members/${manyId(1)}`;
  expect((await rig.asPerson("DELETE", path)).status).toBe(200);
  expect((await add(conversation_id, [manyId(499)])).json.data.member_count).toBe(500);
});

test("with 200 members there are streams; one more member ends them, including open ones", async () => {
  const made = await make(ids(0, 199));
  const { conversation_id } = made.json.data;
  const stream = (type: string, stream_id: string) =>
    first.send({ type, conversation_id, stream_id });
  stream("stream.start", "early");
  await human.next("stream.start");
  await add(conversation_id, [manyId(199)]);
  stream("stream.start", "late");
  const refusal = { conversation_id, sender_id: manyId(0), code: "group_too_large" };
  expect(await first.next("stream.error")).toEqual({
    type: "stream.error",
    ...refusal,
    stream_id: "late",
  });
  stream("stream.delta", "early");
  for (const client of [first, human]) {
    expect(await client.next("stream.error")).toMatchObject({ ...refusal, stream_id: "early" });
  }
  for (const each of ["early", "late"]) {
    stream("stream.delta", each);
    stream("stream.done", each);
  }
  await first.settled();
  await human.settled();
  const streams = human.frames.filter(({ type }) => type.startsWith("stream."));
  expect(streams.map(({ type, stream_id }) => [type, stream_id])).toEqual([
    ["stream.start", "early"],
    ["stream.error", "early"],
  ]);
  expect(first.ofType("stream.error")).toHaveLength(2);
});
