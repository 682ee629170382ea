import { expect, it } from "vitest";
import { ARTIFACT_FETCH_SUBTYPE } from "../app/protocol/v1/artifact-messages.ts";
import { artifact } from "./artifacts.ts";
import type { ArtifactUpdate } from "./content.ts";
import type { AgentEvent } from "./events.ts";
import { AGENT_ID, CONVERSATION, type FakeHub } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

const update = (revision: number) => ({
  ref_artifact: "a",
  revision,
  updates: { state: { text: "done" } },
});

it("an artifact's update is sent as an artifact of its own", async () => {
  const { agent, hub } = await startAgent();
  await agent.updateArtifact(CONVERSATION, update(1));
  expect(await hub.payloads()).toEqual([
    { type: "artifact", artifact: { subtype: "artifact_update", ...update(1) } },
  ]);
});

it("a revision that is not higher than the last is not sent", async () => {
  const { agent, hub } = await startAgent();
  await agent.updateArtifact(CONVERSATION, update(3));
  for (const revision of [3, 2, 3.5, Number.NaN]) {
    await expect(agent.updateArtifact(CONVERSATION, update(revision))).rejects.toMatchObject({
      code: "revision_not_higher",
    });
  }
  await agent.updateArtifact(CONVERSATION, { ...update(1), ref_artifact: "other" });
  expect(await hub.payloads()).toHaveLength(2);
});

const FORM = artifact({
  artifact_id: "form-1",
  title: "Lunch",
  blocks: [
    { tag: "status", key: "state", text: "open" },
    { tag: "checkbox", key: "soup", label: "Soup" },
    { tag: "action", key: "order", label: "Order" },
  ],
});
const ANSWER = {
  ref_artifact: "form-1",
  ref_agent: AGENT_ID,
  revision: 1,
  ref_action: "order",
  values: { soup: true, extras: ["bread"] },
};
const answered = (hub: FakeHub, over: object = {}) =>
  hub.say(
    { type: "artifact", artifact: { subtype: "artifact_response", ...ANSWER, ...over } },
    { content_type: "artifact", msg_subtype: "artifact_response" },
  );
const asked = (hub: FakeHub, over: object = {}) =>
  hub.say(
    {
      type: "artifact",
      artifact: {
        subtype: "artifact_fetch",
        ref_artifact: "form-1",
        ref_agent: AGENT_ID,
        revision: 0,
        ...over,
      },
    },
    { content_type: "artifact", msg_subtype: ARTIFACT_FETCH_SUBTYPE },
  );
const receipts = (hub: FakeHub) =>
  hub.frames("message.received").map(({ conversation_seq }) => conversation_seq);

it("without a revision an update has the next one", async () => {
  const { agent, hub } = await startAgent();
  await agent.sendArtifact(CONVERSATION, FORM);
  await agent.updateArtifact(CONVERSATION, { ref_artifact: "form-1", updates: {} });
  await agent.updateArtifact(CONVERSATION, { ref_artifact: "form-1", updates: {} });
  const sent = await hub.payloads();
  expect(sent).toMatchObject([{}, { artifact: { revision: 1 } }, { artifact: { revision: 2 } }]);
});

it("what a client would not draw is not sent", async () => {
  const { agent, hub } = await startAgent();
  const unfit = { code: "artifact_unfit" };
  expect(() => artifact({ artifact_id: "a", blocks: [] })).toThrow(expect.objectContaining(unfit));
  const twice = { tag: "checkbox", key: "a", label: "A" } as const;
  expect(() => artifact({ artifact_id: "a", blocks: [twice, twice] })).toThrow();
  expect(() => artifact({ artifact_id: "a", subtype: "tool_call", blocks: [twice] })).toThrow();
  await agent.sendArtifact(CONVERSATION, FORM);
  for (const change of [
    { updates: { state: { text: "x".repeat(70_000) } } },
    { revision: 101, updates: {} },
    { blocks: [] },
  ]) {
    const update = { ref_artifact: "form-1", ...change };
    await expect(agent.updateArtifact(CONVERSATION, update)).rejects.toMatchObject(unfit);
  }
  expect(await hub.payloads()).toHaveLength(1);
});

it.each([
  ["/artifact_id", { artifact_id: "a".repeat(129) }],
  ["/title", { title: "a".repeat(201) }],
  ["/subtype", { subtype: "artifact_update" }],
  ["/blocks", { blocks: [] }],
  ["/blocks", { blocks: Array(17).fill({ tag: "divider" }) }],
  ["/blocks/1", { blocks: [{ tag: "divider" }, { tag: "text", text: "a".repeat(20_001) }] }],
  ["/blocks/0", { blocks: [{ tag: "file", key: "f", filename: "a", data: "Total: 12" }] }],
] as const)(
  "an artifact that a client would not draw is refused with the part: %s",
  (path, part) => {
    const error = { code: "artifact_unfit", params: { path } };
    const build = () => artifact({ artifact_id: "a", blocks: [{ tag: "divider" }], ...part });
    expect(build).toThrow(expect.objectContaining(error));
  },
);

const PROGRESS = artifact({
  artifact_id: "import",
  blocks: [
    { tag: "status", key: "state", text: "started" },
    { tag: "progress", key: "bar", label: "Files", value: 40 },
  ],
});

it.each([
  ["/updates/bar", { updates: { state: { text: "on" }, bar: { value: 200 } } }],
  ["/updates/state", { updates: { state: { text: "x".repeat(201) } } }],
  ["/updates/a~1b", { updates: { "a/b": { value: 50 } } }],
  ["/blocks/1", { blocks: [{ tag: "divider" }, { tag: "progress", label: "Files", value: 200 }] }],
] as const)(
  "a change that a client would not draw is refused with the part: %s",
  async (path, change) => {
    const { agent, hub } = await startAgent();
    await agent.sendArtifact(CONVERSATION, PROGRESS);
    const send = (over: ArtifactUpdate) => agent.updateArtifact(CONVERSATION, over);
    const refused = send({ ref_artifact: "import", ...change });
    await expect(refused).rejects.toMatchObject({ code: "artifact_unfit", params: { path } });
    await send({ ref_artifact: "import", updates: { bar: { value: 50 } } });
    const [, sent] = await hub.payloads();
    expect(sent).toMatchObject({ artifact: { revision: 1, updates: { bar: { value: 50 } } } });
  },
);

it("a change is sent that makes room in one block for what it adds to another", async () => {
  const { agent, hub } = await startAgent();
  const text = (chars: number) => "x".repeat(chars);
  const blocks = ["a", "b", "c", "d"].map(
    (key) => ({ tag: "text", key, text: text(key === "a" ? 100 : 20_000) }) as const,
  );
  await agent.sendArtifact(CONVERSATION, artifact({ artifact_id: "long", blocks }));
  const updates = { a: { text: text(20_000) }, b: { text: text(100) } };
  await agent.updateArtifact(CONVERSATION, { ref_artifact: "long", updates });
  expect(await hub.payloads()).toMatchObject([{}, { artifact: { updates } }]);
});

it("a block that this version does not know is sent and changed as it is", async () => {
  const { agent, hub } = await startAgent();
  const blocks = [{ tag: "chart", key: "chart", points: [1] }];
  await agent.sendArtifact(CONVERSATION, { artifact: { artifact_id: "a", blocks } });
  const updates = { chart: { points: [1, 2] } };
  await agent.updateArtifact(CONVERSATION, { ref_artifact: "a", updates });
  expect(await hub.payloads()).toMatchObject([{}, { artifact: { updates } }]);
});

it("the person's answer reaches the handler, and is received when that is done", async () => {
  const { agent, hub } = await startAgent();
  const handled = Promise.withResolvers<void>();
  const answers: unknown[] = [];
  agent.onArtifactResponse((answer) => {
    answers.push(answer);
    return handled.promise;
  });
  const { conversation_seq } = await answered(hub);
  const { ref_agent: _, ...fields } = ANSWER;
  expect(answers).toEqual([
    { conversation_id: CONVERSATION, ref_artifact_subtype: "artifact", ...fields },
  ]);
  expect(receipts(hub)).toEqual([]);
  handled.resolve();
  await expect.poll(() => receipts(hub)).toEqual([conversation_seq]);
});

it("an answer or a question for another agent of the group is not this agent's", async () => {
  const { agent, hub } = await startAgent();
  const events: AgentEvent[] = [];
  agent.addEventHandler((event) => events.push(event));
  await agent.sendArtifact(CONVERSATION, FORM);
  await answered(hub, { ref_agent: "other" });
  await asked(hub, { ref_agent: "other" });
  await expect.poll(() => receipts(hub)).toHaveLength(2);
  expect(events).toEqual([]);
  expect(await hub.payloads()).toHaveLength(1);
});

it("an answer without an action or with values of another kind is a message like others", async () => {
  const { agent, hub } = await startAgent();
  const messages: unknown[] = [];
  agent.addMessageHandler((message) => messages.push(message.payload));
  agent.onArtifactResponse(() => messages.push("answer"));
  await answered(hub, { ref_action: "" });
  await answered(hub, { values: { soup: {} } });
  await answered(hub, { revision: "1" });
  await expect.poll(() => messages).toHaveLength(3);
  expect(messages).not.toContain("answer");
});

it("a client that lacks changes gets the artifact as a whole, as it is now", async () => {
  const { agent, hub } = await startAgent();
  await agent.sendArtifact(CONVERSATION, FORM);
  const ref_artifact = "form-1";
  await agent.updateArtifact(CONVERSATION, {
    ref_artifact,
    revision: 4,
    updates: { state: { text: "closed" } },
  });
  await asked(hub);
  const sent = () => hub.payloads().then((all) => all.at(-1));
  await expect.poll(sent).toMatchObject({
    artifact: {
      subtype: "artifact_update",
      ref_artifact,
      revision: 4,
      title: "Lunch",
      blocks: [{ text: "closed" }, { key: "soup" }, { key: "order" }],
    },
  });
});

it("for an artifact that an earlier process sent, the program is asked", async () => {
  const { agent, hub } = await startAgent();
  const events: AgentEvent[] = [];
  agent.addEventHandler((event) => events.push(event));
  await asked(hub, { revision: 2 });
  await expect
    .poll(() => events)
    .toEqual([
      {
        type: "artifact_fetch",
        payload: { conversation_id: CONVERSATION, ref_artifact: "form-1", revision: 2 },
      },
    ]);
});
