import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ConversationItem, ConversationPage } from "../../../app/bridge/conversation-views.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { CapabilityFlags } from "../../../app/contract/manifest.ts";
import { agent, client, connectForEachTest, talk } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { MANIFEST } from "../testing/test-manifest.ts";

connectForEachTest();

const page = (limit = 50): Promise<ConversationPage> =>
  client.call("conversations.page", { conversation_id: talk, limit });
const view = async (id = talk) =>
  (await client.call("conversations.list", {})).find((each) => each.conversation_id === id);
const texts = (items: readonly ConversationItem[]) =>
  items.flatMap((item) => (item.kind === "message" ? [item.text] : []));
const shown = (count: number) =>
  eventually(async () => {
    const { items } = await page();
    return items.length >= count ? items : undefined;
  });
const write = (text: string, client_message_id: string = randomUUID()) =>
  client.call("conversations.send", { conversation_id: talk, text, client_message_id });
const say = (text: string) => agent.sdk.send(talk, { type: "text", text });

describe("what an agent writes", () => {
  it("is shown in order, once, even after a restart", async () => {
    for (const text of ["one", "two", "three"]) await say(text);
    expect(texts(await shown(3))).toEqual(["one", "two", "three"]);
    await client.restart();
    expect(texts((await page()).items)).toEqual(["one", "two", "three"]);
    expect(await view()).toMatchObject({ title: "Test agent", unread: 3, last_text: "three" });
    await client.call("conversations.mark_read", { conversation_id: talk, seq: 1 });
    expect((await view())?.unread).toBe(2);
  });

  it("is Markdown where it says so, and JSON where it is an artifact", async () => {
    await agent.sdk.send(talk, { type: "text", text: "# Hello", markdown: true });
    await agent.sdk.sendArtifact(talk, { artifact: { subtype: "chart", bar: 1 } });
    expect(await shown(2)).toMatchObject([
      { content: "markdown", text: "# Hello", mine: false },
      { content: "artifact", text: '{\n  "subtype": "chart",\n  "bar": 1\n}' },
    ]);
  });

  it("is JSON no longer than it was sent where it is so much that indenting would multiply it", async () => {
    let list: JsonValue = Array<JsonValue>(100_000).fill(1);
    for (let depth = 0; depth < 60; depth += 1) list = [list];
    const artifact = { list };
    await agent.sdk.sendArtifact(talk, { artifact });
    const item_id = (await shown(1))[0]?.item_id ?? "";
    const whole = await client.call("conversations.text", { conversation_id: talk, item_id });
    expect(whole.text).toBe(JSON.stringify(artifact));
  });

  it("is shortened in a page when it is long, and available whole", async () => {
    const long = "long ".repeat(10_000);
    await say(long);
    const [item] = await shown(1);
    expect(item).toMatchObject({ truncated: true, text: long.slice(0, 20_000) });
    const item_id = item?.item_id ?? "";
    const whole = await client.call("conversations.text", { conversation_id: talk, item_id });
    expect(whole.text).toBe(long);
  });

  it("is nowhere in the data folder in the clear once the program has ended", async () => {
    const secret = "the sentence nobody else may read";
    await say(secret);
    const own = "a sentence of the person alone";
    await write(own);
    await eventually(async () => {
      const states = (await page()).items.map((item) => item.kind === "message" && item.state.kind);
      return (states.includes("sent") && states.includes("received")) || undefined;
    });
    await client.close();
    expect(filesContaining(client.dataDir, secret)).toEqual([]);
    // The hub still has it, because nobody has received it yet.
    const elsewhere = filesContaining(client.dataDir, own).filter((name) => name !== "hub.db");
    expect(elsewhere).toEqual([]);
    await client.launch();
    expect(texts((await page()).items)).toContain(secret);
  });

  it("is shown part by part while it is written, and stored as a message in the end", async () => {
    const stream = agent.sdk.stream(talk);
    stream.delta("Hel");
    stream.delta("lo");
    await eventually(async () => (await page()).streams[0]?.text === "Hello" || undefined);
    await stream.done("Hello!");
    expect(texts(await shown(1))).toEqual(["Hello!"]);
    expect((await page()).streams).toEqual([]);
    const other = agent.sdk.stream(talk);
    await eventually(async () => (await page()).streams.length === 1 || undefined);
    other.abort();
    await eventually(async () => (await page()).streams.length === 0 || undefined);
  });
});

describe("capability flags", () => {
  const flag = async (flags: CapabilityFlags) => {
    await agent.sdk.updateManifest({ ...MANIFEST, capability_flags: flags });
    const [wanted] = Object.entries(OFFERED_BY).filter(([name]) => name in flags);
    await eventually(async () => {
      const offers = (await view())?.offers;
      const [name, offer] = wanted ?? ["", "text"];
      return offers?.[offer] === Reflect.get(flags, name) || undefined;
    });
  };
  const OFFERED_BY = { supports_streaming: "streaming", supports_artifacts: "artifacts" } as const;

  it("rule streams out and in again while the agent is connected", async () => {
    const refused = Promise.withResolvers<string>();
    agent.sdk.addEventHandler((event) => {
      if (event.type === "stream.error") refused.resolve(event.payload.code);
    });
    const open = agent.sdk.stream(talk);
    open.delta("Hel");
    await eventually(async () => (await page()).streams.length === 1 || undefined);
    await flag({ supports_streaming: false });
    expect(await refused.promise).toBe("streaming_unsupported");
    await eventually(async () => (await page()).streams.length === 0 || undefined);
    // The whole text still comes.
    await open.done("Hello");
    expect(texts(await shown(1))).toEqual(["Hello"]);
    await flag({ supports_streaming: true });
    agent.sdk.stream(talk).delta("Again");
    await eventually(async () => (await page()).streams[0]?.text === "Again" || undefined);
  });

  it("rule out that artifacts are drawn and answered, and allow it again", async () => {
    const blocks = [{ tag: "action", key: "ok", label: "OK" }];
    await agent.sdk.sendArtifact(talk, { artifact: { artifact_id: "a", blocks } });
    const [item] = await shown(1);
    const answer = () =>
      client.call("conversations.answer", {
        conversation_id: talk,
        item_id: item?.item_id ?? "",
        revision: 0,
        ref_action: "ok",
        values: {},
      });
    await flag({ supports_artifacts: false });
    await expect(answer()).rejects.toThrow("not_offered");
    await flag({ supports_artifacts: true });
    await answer();
  });
});

describe("what the person writes", () => {
  it("reaches the agent once, and says when the hub has it", async () => {
    const heard = Promise.withResolvers<unknown>();
    agent.sdk.addMessageHandler((message) => heard.resolve(message.payload));
    const id = randomUUID();
    const [one, other] = await Promise.all([write("Good day", id), write("Good day", id)]);
    expect(one).toEqual(other);
    expect(await heard.promise).toEqual({ type: "text", text: "Good day" });
    const sent = await eventually(async () => {
      const [item] = (await page()).items;
      return item?.kind === "message" && item.state.kind === "sent" ? item : undefined;
    });
    expect(sent).toMatchObject({ mine: true, text: "Good day", client_message_id: id });
  });

  it("is refused in a conversation that takes no messages or does not exist", async () => {
    const client_message_id = randomUUID();
    const to = (conversation_id: string) =>
      client.call("conversations.send", { conversation_id, text: "hello", client_message_id });
    await expect(to("system")).rejects.toThrow("not_offered");
    await expect(to("nowhere")).rejects.toThrow("not_found");
  });
});

describe("calls among the messages", () => {
  it("change from waiting to their log entry, and are paged with messages, each once", async () => {
    await say("before");
    await shown(1);
    const calling = agent.write("text");
    const { request_id } = await client.waitingCard();
    expect((await page()).items).toMatchObject([
      { kind: "message", text: "before" },
      { kind: "call", status: "waiting", tool_name: "write_clipboard", request_id },
    ]);
    await client.answer("deny");
    await calling;
    await say("after");
    const items = await shown(3);
    const card = items.find(({ kind }) => kind === "call");
    expect(card).toMatchObject({ status: "denied", request_id: null });
    const newest = await page(1);
    const before = newest.next_before ?? { message: 0, call: 0 };
    const older = await client.call("conversations.page", {
      conversation_id: talk,
      limit: 10,
      before,
    });
    const ids = [...older.items, ...newest.items].map(({ item_id }) => item_id);
    expect(ids.toSorted()).toEqual(items.map(({ item_id }) => item_id).toSorted());
    expect(older.next_before).toBeNull();
  });
});

describe("a history that is deleted", () => {
  it("is gone, even after a restart", async () => {
    await say("old");
    await shown(1);
    await client.call("conversations.delete_history", { conversation_id: talk });
    expect((await page()).items).toEqual([]);
    await client.restart();
    expect((await page()).items).toEqual([]);
  });
});

describe("a manifest that the person pastes", () => {
  const check = (text: string) => client.call("manifest.check", { agent_id: agent.id, text });

  it("gets a list of all its problems with their places in the text", async () => {
    const broken = JSON.stringify({ ...MANIFEST, agent_version: "one" }, null, 2);
    const found = await check(broken);
    expect(found.problems).toEqual([
      expect.objectContaining({ pointer: "/agent_version", line: 3, column: 20 }),
    ]);
    expect(found.digest).toBeNull();
    expect((await check("{")).problems).toMatchObject([{ code: "not_strict_json", line: 1 }]);
  });

  it("shows what it changes, is applied as it was checked, and leaves a note", async () => {
    const [first, ...rest] = MANIFEST.tools;
    const changed = { ...first, description_fallback: "Other words", timeout_ms: 5 };
    const scope = { ...MANIFEST.permission_scopes[0], id: "test:new", label_fallback: "New" };
    const text = JSON.stringify({
      ...MANIFEST,
      tools: [changed, ...rest],
      permission_scopes: [...MANIFEST.permission_scopes, scope],
    });
    const { changes, digest } = await check(text);
    expect(changes).toMatchObject([
      { pointer: "/permission_scopes/4", kind: "scope_added", breaking: true, scope: "test:new" },
      { pointer: "/tools/0/description_fallback", kind: "changed", breaking: false },
      { pointer: "/tools/0/timeout_ms", kind: "added", breaking: false },
    ]);
    const apply = (pasted: string) =>
      client.call("manifest.apply", { agent_id: agent.id, text: pasted, digest: digest ?? "" });
    await expect(apply(`${text} `)).rejects.toThrow("manifest_changed");
    expect(await apply(text)).toEqual({ manifest_version: 2, changes: 3, breaking: 1 });
    const { items } = await client.call("conversations.page", {
      conversation_id: "system",
      limit: 10,
    });
    expect(items).toMatchObject([
      { kind: "note", code: "manifest_applied", agent_id: agent.id, manifest_version: 2 },
    ]);
    await eventually(async () => (await client.card(agent)).manifest_version === 2 || undefined);
  });
});
