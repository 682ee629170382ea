import { beforeEach, expect, test } from "vitest";
import { LIMITS } from "../../app/contract/limits.ts";
import { type AddedAgent, HubRig, messageTo, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());
let added: AddedAgent;
let human: TestClient;
let agent: TestClient;
beforeEach(async () => {
  ({ added, human, agent } = await rig.talk());
});

const takes = (supports_voice: boolean, who = added) =>
  rig.patch(who, sampleManifest({ capability_flags: { supports_voice } }));

const voiceTo = (conversation_id: string, id: string, payload = "AGhp") => ({
  ...messageTo(conversation_id, id, payload),
  content_type: "artifact",
  msg_subtype: "voice",
});
const refusal = async (from: TestClient) => (await from.next("message.refused")).error;

test("a voice message goes neither way unless the agent's manifest says that it takes them", async () => {
  const { conversation_id } = added.relation;
  for (const from of [human, agent]) {
    from.send(voiceTo(conversation_id, "early"));
    const params = { conversation_id };
    expect(await refusal(from)).toMatchObject({ code: "VOICE_UNSUPPORTED", params });
  }
  await takes(true);
  for (const [from, to] of [
    [human, agent],
    [agent, human],
  ] as const) {
    from.send(voiceTo(conversation_id, "later"));
    expect(await to.next("message.new")).toMatchObject({ msg_subtype: "voice" });
  }
  await takes(false);
  human.send(voiceTo(conversation_id, "too late"));
  expect(await refusal(human)).toMatchObject({ code: "VOICE_UNSUPPORTED" });
});

test("what was accepted before is acknowledged again after the manifest has changed", async () => {
  const { conversation_id } = added.relation;
  await takes(true);
  human.send(voiceTo(conversation_id, "mine"));
  const ack = await human.next("message.ack");
  await takes(false);
  human.send(voiceTo(conversation_id, "mine"));
  expect(await human.next("message.ack")).toEqual(ack);
});

test("in a group, every agent has to take voice messages", async () => {
  const other = await rig.addAgent();
  await takes(true);
  const { conversation_id } = (await rig.group(added, other)).json.data;
  for (const from of [human, agent]) {
    from.send(voiceTo(conversation_id, "one does not"));
    expect(await refusal(from)).toMatchObject({ code: "VOICE_UNSUPPORTED" });
  }
  await takes(true, other);
  human.send(voiceTo(conversation_id, "both do"));
  expect(await agent.next("message.new")).toMatchObject({ msg_subtype: "voice" });
});

test("an envelope over the limit of voice messages is refused, and the largest is taken", async () => {
  const { conversation_id } = added.relation;
  await takes(true);
  const largest = "A".repeat(Math.ceil(LIMITS.voiceEnvelopeBytes / 3) * 4);
  human.send(voiceTo(conversation_id, "over", `${largest}AAAA`));
  expect(await refusal(human)).toMatchObject({ code: "VOICE_TOO_LARGE" });
  human.send(voiceTo(conversation_id, "just", largest));
  expect(await human.next("message.ack")).toMatchObject({ client_message_id: "just" });
});

test("somebody who is in no such conversation learns nothing of its agents", async () => {
  human.send(voiceTo("no-such-conversation", "m"));
  expect(await refusal(human)).toMatchObject({ code: "NOT_A_MEMBER" });
});
