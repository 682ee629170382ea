import { beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent, DeliveredMessage } from "../../../sdk/index.ts";
import { client, launchForEachTest } from "../testing/each-test.ts";
import { eventually, LONG_WAIT } from "../testing/eventually.ts";
import { PATIENT, type TestAgent } from "../testing/test-agent.ts";
import { MANIFEST } from "../testing/test-manifest.ts";

launchForEachTest({ withAnother: true });
let one: TestAgent;
let two: TestAgent;
beforeEach(async () => {
  [one, two] = [await client.addAgent(), await client.addAgent()];
});

const REASON = "tool_not_supported_in_group";
const refused = (agent: TestAgent, group: string, callId?: string) =>
  expect(
    agent.sdk.callTool(
      group,
      "write_clipboard",
      { text: "x" },
      { ...PATIENT, ...(callId === undefined ? {} : { callId }) },
    ),
  ).rejects.toMatchObject({ failure: { reason: REASON } });

describe("in a group of two agents", () => {
  it("calls of both are refused and logged, nobody is asked and nothing is touched", async () => {
    const group = await client.newGroup(one, two);
    await Promise.all([refused(one, group), refused(two, group)]);
    expect((await client.snapshot()).consents).toEqual([]);
    expect(client.platform.sideEffects).toBe(0);
    const lines = await client.log();
    expect(lines.map(({ status, reason }) => [status, reason])).toEqual([
      ["denied", REASON],
      ["denied", REASON],
    ]);
  });

  it("one agent's answer settles no call of the other, even with the same call id", async () => {
    const group = await client.newGroup(one, two);
    const events: AgentEvent[] = [];
    two.sdk.addEventHandler((event) => events.push(event));
    const waiting = two.call("write_clipboard", { text: "mine" }, "shared");
    const card = await client.waitingCard();
    await refused(one, group, "shared");
    await expect
      .poll(() => events.filter(({ type }) => type === "artifact_response"))
      .toHaveLength(1);
    expect((await client.waitingCard()).request_id).toBe(card.request_id);
    await client.answer("allow_once");
    expect(await waiting).toHaveProperty("result");
    expect(client.platform.sideEffects).toBe(1);
  });

  it("a call from a group that the agent made itself is refused as well", async () => {
    const group = await one.sdk.conversations.createGroup({ title: "Mine" });
    await refused(one, group.conversation_id);
    expect(client.platform.sideEffects).toBe(0);
  });

  it("a member without keys stops nobody, and both ends learn who cannot read the messages", async () => {
    const keyless = (await client.hub.addAgent([], MANIFEST, "Keyless")).agentId;
    const group = await client.newGroup(one, two, keyless);
    const events: AgentEvent[] = [];
    one.sdk.addEventHandler((event) => events.push(event));
    const heard: unknown[] = [];
    for (const agent of [one, two]) {
      agent.sdk.addMessageHandler(({ payload }) => heard.push(payload.text));
    }
    await one.sdk.send(group, { type: "text", text: "from one" });
    const conversation_id = group;
    expect(events.filter(({ type }) => type === "encryption.left_out")).toMatchObject([
      { payload: { conversation_id, user_ids: [keyless] } },
    ]);
    const text = "from the person";
    await eventually(async () => {
      const listed = await client.call("conversations.list", {});
      return listed.find((each) => each.conversation_id === group);
    });
    await client.call("conversations.send", {
      conversation_id,
      text,
      client_message_id: "own-message-1",
    });
    await expect
      .poll(() => heard.toSorted(), LONG_WAIT)
      .toEqual(["from one", text, text].toSorted());
    const { notices } = await client.snapshot();
    expect(notices).toContainEqual({ code: "members_left_out", params: { name: "Keyless" } });
  });

  it("the agents can still send texts while calls are refused", async () => {
    const group = await client.newGroup(one, two);
    const messages: DeliveredMessage[] = [];
    two.sdk.addMessageHandler((message) => messages.push(message));
    await refused(one, group);
    await one.sdk.send(group, { type: "text", text: "then by ourselves" });
    await expect
      .poll(() => messages.map(({ payload }) => payload.type))
      .toEqual(["artifact", "text"]);
  });
});
