import { beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../app/contract/limits.ts";
import { type AddedAgent, HubRig, messageTo } from "../testing/hub-rig.ts";
import { keysOf } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const MINUTE_MS = 60_000;
/** A frame may not have much more. */
const LARGE = "A".repeat(1_900_000);
const LARGE_COSTS = LARGE.length + LIMITS.messageOverheadBytes;

const rig = ofEachTest(new HubRig());
let loud: AddedAgent;
let quiet: AddedAgent;
let agent: TestClient;
const meet = async (): Promise<void> => {
  loud = await rig.addAgent();
  quiet = await rig.addAgent();
  agent = await rig.agent(loud);
};
const limited = (sentBytesPerMinute: number) =>
  rig.restart({ limits: { sentBytesPerMinute } }).then(meet);
beforeEach(meet);

const say = (id: string, payload?: string) =>
  agent.send(messageTo(loud.relation.conversation_id, id, payload));
const said = (id: string, payload?: string) => {
  say(id, payload);
  return agent.next("message.ack");
};

/** Whatever the flooding agent does, the other one's messages arrive. */
async function expectQuietHeard(): Promise<void> {
  const other = await rig.agent(quiet);
  await other.says(quiet.relation.conversation_id, "a word");
}

describe("how much an agent sends in a minute", () => {
  it("is limited in bytes of any kind, and the refusal says when to try again", async () => {
    const many = Math.floor(LIMITS.sentBytesPerMinute / LARGE_COSTS);
    for (let at = 0; at < many; at += 1) await said(`${at}`, LARGE);
    say("over", LARGE);
    expect(await agent.next("message.refused")).toMatchObject({
      client_message_id: "over",
      error: { code: "RATE_LIMITED", params: { retry_after: 60, retry_after_ms: MINUTE_MS } },
    });
    rig.time.pass(1_000);
    await said("small");
    expect(await said("0", LARGE)).toMatchObject({ conversation_seq: 1 });
    await expectQuietHeard();
    rig.time.pass(59_000);
    await said("over", LARGE);
  });

  it("includes an overhead for each message, so that short ones do not evade it", async () => {
    await limited(10 * (LIMITS.messageOverheadBytes + 4));
    for (let at = 0; at < 11; at += 1) say(`${at}`);
    expect(await agent.next("message.refused")).toMatchObject({ client_message_id: "10" });
    rig.time.pass(MINUTE_MS);
    await said("10");
  });
});

describe("an agent over a limit", () => {
  it("is read more slowly, while others are heard, and again when it may send", async () => {
    await limited(LIMITS.messageOverheadBytes + 4);
    await said("first");
    say("over");
    await agent.next("message.refused");
    say("next");
    await expectQuietHeard();
    expect(agent.ofType("message.refused")).toHaveLength(1);
    rig.time.pass(20);
    expect(await agent.next("message.refused")).toMatchObject({ client_message_id: "next" });
    rig.time.pass(MINUTE_MS - 21);
    say("last");
    await agent.next("message.refused");
    rig.time.pass(1);
    await said("later");
  });
});

describe("how much of an agent's messages waits", () => {
  beforeEach(() => limited(Number.MAX_SAFE_INTEGER));

  it("is limited in bytes in all its conversations, with new room as they are received", async () => {
    const { conversation_id } = loud.relation;
    const many = Math.floor(LIMITS.waitingBytes / LARGE_COSTS);
    for (let at = 0; at < many; at += 1) await said(`${at}`, LARGE);
    const made = await rig.group(loud);
    agent.send(messageTo(made.json.data.conversation_id, "over", LARGE));
    expect(await agent.next("message.refused")).toMatchObject({
      client_message_id: "over",
      error: { code: "RECIPIENT_QUEUE_FULL" },
    });
    await expectQuietHeard();
    const person = await rig.human();
    person.send({ type: "message.received", conversation_id, conversation_seq: 1 });
    await person.settled();
    await said("over", LARGE);
    say("one more", LARGE);
    await agent.next("message.refused");
  });

  it("is not what waits for it: the person writes as before", async () => {
    const person = await rig.human();
    for (let at = 0; at < 10; at += 1) {
      person.send(messageTo(loud.relation.conversation_id, `${at}`, LARGE));
    }
    for (let at = 0; at < 10; at += 1) await person.next("message.ack");
  });
});

describe("a history that is full", () => {
  let person: TestClient;
  beforeEach(async () => {
    person = await rig.human();
  });
  const tell = async (who: TestClient, full: boolean) => {
    who.send({ type: "history.full", agent_id: loud.agentId, full });
    await who.settled();
  };

  it("refuses what would be kept in it, until there is room, and lets calls through", async () => {
    const { conversation_id } = loud.relation;
    await said("before");
    await tell(person, true);
    say("over");
    expect(await agent.next("message.refused")).toMatchObject({
      client_message_id: "over",
      error: { code: "HISTORY_FULL", params: { conversation_id } },
    });
    await said("before");
    const call = { content_type: "artifact", msg_subtype: "artifact_tool_call" };
    agent.send({ ...messageTo(conversation_id, "call"), ...call });
    await agent.next("message.ack");
    await expectQuietHeard();
    await tell(person, false);
    await said("over");
  });

  it("is to be reported again when the person was not connected, and not before", async () => {
    await tell(person, true);
    const other = await rig.human();
    say("over");
    await agent.next("message.refused");
    for (const each of [person, other]) each.close();
    await Promise.all([person.closed, other.closed]);
    await rig.human();
    await said("over");
  });

  it("is reported by the person only: an agent cannot silence another", async () => {
    await tell(await rig.agent(quiet), true);
    await said("still heard");
  });
});

describe("keys", () => {
  const publish = async ({ agentId, token }: AddedAgent, body?: unknown) =>
    rig.rest("PUT", "/keys/mine", { token, body: body ?? (await keysOf(agentId)).body });

  it("may be changed so often in an hour; the same ones again are no change", async () => {
    const first = await keysOf(loud.agentId);
    await publish(loud, first.body);
    for (let change = 0; change < LIMITS.keyChangesPerHour; change += 1) {
      expect((await publish(loud)).status).toBe(200);
    }
    const refused = await publish(loud);
    expect([refused.status, refused.json.error]).toMatchObject([
      429,
      { code: "RATE_LIMITED", params: { retry_after: 3_600 } },
    ]);
    const kept = await rig.rest("GET", "/keys/mine", { token: loud.token });
    expect(kept.json.data.key_id).not.toBe(first.keyId);
    await publish(quiet);
    expect((await publish(quiet)).status).toBe(200);
    rig.time.pass(60 * MINUTE_MS);
    expect((await publish(loud, first.body)).status).toBe(200);
    expect((await publish(loud, first.body)).status).toBe(200);
  });

  it("of one agent, fetched however often, leave the person enough requests for the others", async () => {
    await publish(loud);
    await publish(quiet);
    const read = ({ agentId }: AddedAgent) => rig.asPerson("GET", `/keys/${agentId}`);
    const reads = LIMITS.keysAskedPerMinute + 1;
    for (let asked = 1; asked < reads; asked += 1) expect((await read(loud)).status).toBe(200);
    expect((await read(loud)).status).toBe(429);
    expect((await read(quiet)).status).toBe(200);
    rig.time.pass(MINUTE_MS);
    expect((await read(loud)).status).toBe(200);
  });
});
