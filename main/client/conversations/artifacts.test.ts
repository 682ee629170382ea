import { beforeEach, describe, expect, it } from "vitest";
import type { ArtifactView, MessageItem } from "../../../app/bridge/conversation-views.ts";
import { type ArtifactAnswer, artifact } from "../../../sdk/index.ts";
import { agent, agentReturns, client, connectForEachTest, talk } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { filesContaining } from "../testing/files-containing.ts";

connectForEachTest();
let answers: ArtifactAnswer[];
beforeEach(async () => {
  answers = [];
  agent.sdk.onArtifactResponse((answer) => answers.push(answer));
});

const ref_artifact = "trip";
const TRIP = artifact({
  artifact_id: ref_artifact,
  title: "Your trip",
  blocks: [
    { tag: "status", key: "state", text: "Two seats are left" },
    { tag: "input", key: "name", label: "Name", required: true, max_length: 20 },
    { tag: "input", key: "seats", label: "Seats", variant: "number", min: 1, max: 2 },
    { tag: "file", key: "plan", filename: "../plan.txt", data: "aGVsbG8=" },
    { tag: "action", key: "book", label: "Book" },
    { tag: "action", key: "no", label: "No, thank you", sends_values: false },
  ],
});
const update = (revision: number, text: string) =>
  agent.sdk.updateArtifact(talk, { ref_artifact, revision, updates: { state: { text } } });

const messages = async (): Promise<readonly MessageItem[]> => {
  const { items } = await client.call("conversations.page", { conversation_id: talk, limit: 50 });
  return items.filter((item) => item.kind === "message");
};
const drawn = (isIt: (view: ArtifactView) => boolean = () => true) =>
  eventually(async () => {
    const item = (await messages()).find((each) => each.content === "blocks");
    return item?.artifact && isIt(item.artifact) ? { ...item, artifact: item.artifact } : undefined;
  });
const answer = (
  item_id: string,
  ref_action: string,
  values: ArtifactAnswer["values"],
  revision = 0,
) =>
  client.call("conversations.answer", {
    conversation_id: talk,
    item_id,
    revision,
    ref_action,
    values,
  });
const given = () => eventually(async () => (answers.length > 0 ? answers : undefined));

describe("an artifact", () => {
  it("is drawn once, with its blocks, and without what its files contain", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const { artifact: view, text } = await drawn();
    expect(text).toBe("Your trip");
    expect(view).toMatchObject({ revision: 0, missing: false, answer: null });
    expect(view.blocks[3]).toEqual({ tag: "file", key: "plan", filename: "../plan.txt", bytes: 5 });
    expect(JSON.stringify(view)).not.toContain("aGVsbG8=");
    await client.restart();
    expect(await messages()).toHaveLength(1);
  });

  it("is changed where it stands, also after a restart", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    await update(1, "One seat is left");
    await drawn(({ revision }) => revision === 1);
    await client.restart();
    await update(2, "No seat is left");
    const { artifact: view } = await drawn(({ revision }) => revision === 2);
    expect(view.blocks[0]).toMatchObject({ text: "No seat is left" });
    expect(await messages()).toHaveLength(1);
  });

  it("of which changes are missing is asked for, and comes whole", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    // The agent's process has counted further than what it sent.
    await update(7, "No seat is left");
    const { artifact: view } = await drawn(({ revision }) => revision === 7);
    expect(view).toMatchObject({
      missing: false,
      blocks: [{ text: "No seat is left" }, {}, {}, {}, {}, {}],
    });
  });

  it("is shown with what is missing until the agent sends it", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    await agentReturns();
    const wanted = Promise.withResolvers<unknown>();
    agent.sdk.addEventHandler((event) => {
      if (event.type === "artifact_fetch") wanted.resolve(event.payload);
    });
    await update(3, "No seat is left");
    const { artifact: torn } = await drawn(({ missing }) => missing);
    expect(torn).toMatchObject({
      revision: 0,
      blocks: [{ text: "Two seats are left" }, {}, {}, {}, {}, {}],
    });
    expect(await wanted.promise).toMatchObject({ ref_artifact, revision: 0 });
    await agent.sdk.updateArtifact(talk, {
      ref_artifact,
      revision: 4,
      blocks: [{ tag: "text", text: "Sold out" }],
    });
    const { artifact: whole } = await drawn(({ missing }) => !missing);
    expect(whole.blocks).toEqual([{ tag: "text", text: "Sold out" }]);
  });

  it("stays as it is when another program's change would make a block undrawable", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const raw = (revision: number, text: string) => {
      const change = { ref_artifact, revision, updates: { state: { text } } };
      return agent.sdk.sendArtifact(talk, { artifact: { subtype: "artifact_update", ...change } });
    };
    await raw(1, "x".repeat(201));
    await raw(2, "One seat is left");
    const { artifact: view } = await drawn(({ missing }) => missing);
    expect(view).toMatchObject({
      revision: 0,
      blocks: [{ text: "Two seats are left" }, {}, {}, {}, {}, {}],
    });
  });

  it("whose id was used before is shown as data, and nothing can be answered to it", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    await agent.sdk.sendArtifact(talk, TRIP);
    await eventually(async () => ((await messages()).length === 2 ? true : undefined));
    const [, second] = await messages();
    expect(second).toMatchObject({ content: "artifact", artifact: null });
    const { artifact_id, title, blocks } = TRIP.artifact;
    expect(JSON.parse(second?.text ?? "")).toEqual({ artifact_id, title, blocks });
    const refused = answer(second?.item_id ?? "", "no", {});
    await expect(refused).rejects.toThrow("not_found");
  });

  it("has files that are saved under a name that leads nowhere else", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const { item_id } = await drawn();
    const about = { conversation_id: talk, item_id };
    await client.call("conversations.file", { ...about, key: "plan" });
    expect(client.host.delivered).toMatchObject([{ name: "plan.txt", text: "hello" }]);
    const missing = client.call("conversations.file", { ...about, key: "book" });
    await expect(missing).rejects.toThrow("not_found");
  });

  it("is nowhere in the data folder in the clear", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const { item_id } = await drawn();
    await answer(item_id, "book", { name: "Kim the Unreadable" });
    await given();
    await client.close();
    for (const secret of ["Two seats are left", "aGVsbG8="]) {
      expect(filesContaining(client.dataDir, secret)).toEqual([]);
    }
    expect(filesContaining(client.dataDir, "Kim the Unreadable")).toEqual([]);
    await client.launch();
  });
});

describe("the person's answer", () => {
  it("reaches the agent, and stands at the artifact and as a message", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const { item_id } = await drawn();
    await answer(item_id, "book", { name: "Kim", seats: 2 });
    expect(await given()).toMatchObject([
      { ref_artifact, ref_action: "book", values: { name: "Kim", seats: 2 }, revision: 0 },
    ]);
    const { artifact: view } = await drawn(({ answer: given }) => given !== null);
    expect(view.answer).toEqual({ ref_action: "book", values: { name: "Kim", seats: 2 } });
    expect((await messages())[1]).toMatchObject({ content: "answer", text: "Book", mine: true });
  });

  it("is sent once, however often it is given, also after a restart", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const { item_id } = await drawn();
    const book = () => answer(item_id, "book", { name: "Kim" });
    const [first, second] = await Promise.all([book(), book()]);
    expect(second).toEqual(first);
    await given();
    await client.restart();
    expect(await answer(item_id, "no", {})).toEqual(first);
    // What is said after it comes after it.
    const heard = Promise.withResolvers<void>();
    agent.sdk.addMessageHandler(() => heard.resolve());
    await client.call("conversations.send", {
      conversation_id: talk,
      text: "Well?",
      client_message_id: "afterwards",
    });
    await heard.promise;
    expect(answers).toHaveLength(1);
    expect((await messages()).map(({ content }) => content)).toEqual(["blocks", "answer", "text"]);
  });

  it("is refused where it does not fit the fields, whatever the page says", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const { item_id } = await drawn();
    for (const [action, values] of [
      ["book", {}],
      ["book", { name: "Kim", seats: 3 }],
      ["book", { name: "Kim", other: "x" }],
      ["book", { name: ["Kim"] }],
      ["pay", { name: "Kim" }],
    ] as const) {
      const refused = answer(item_id, action, values);
      await expect(refused).rejects.toThrow("answer_unfit");
    }
    await answer(item_id, "no", {});
    expect(await given()).toMatchObject([{ ref_action: "no", values: {} }]);
  });

  it("is refused where its button said something else when it was drawn", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    const { item_id } = await drawn();
    await agent.sdk.updateArtifact(talk, {
      ref_artifact,
      updates: { no: { label: "Pay 1000 EUR" } },
    });
    await drawn(({ revision }) => revision === 1);
    await expect(answer(item_id, "no", {}, 0)).rejects.toThrow("answer_unfit");
    await answer(item_id, "no", {}, 1);
    expect(await given()).toMatchObject([{ revision: 1, ref_action: "no" }]);
  });

  it("fits the fields as they are now, not as they were", async () => {
    await agent.sdk.sendArtifact(talk, TRIP);
    await agent.sdk.updateArtifact(talk, { ref_artifact, updates: { seats: { max: 1 } } });
    const { item_id } = await drawn(({ revision }) => revision === 1);
    const refused = answer(item_id, "book", { name: "Kim", seats: 2 }, 1);
    await expect(refused).rejects.toThrow("answer_unfit");
    await answer(item_id, "book", { name: "Kim", seats: 1 }, 1);
    expect(await given()).toMatchObject([{ revision: 1, values: { seats: 1 } }]);
  });
});
