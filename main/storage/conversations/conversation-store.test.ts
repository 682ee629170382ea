import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { filesContaining } from "../../client/testing/files-containing.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { forgetSealed, openStore } from "../index.ts";
import type { Store } from "../store.ts";
import type { MessageContent } from "./stored-item.ts";

const KEY = randomBytes(32);
const TALK = "conversation-1";
const ALL = [TALK, Number.MAX_SAFE_INTEGER, 100] as const;

let dataDir: string;
let store: Store;
const open = (): Store =>
  openStore({
    dataDir,
    wallClock: { now: () => 1_000 },
    monotonic: { now: () => 0 },
    random: randomBytes,
  }).store;

beforeEach(() => {
  dataDir = scratchFolder();
  store = open();
});
afterEach(() => store.close());

const words = (text: string, sender_id = "agent-1"): MessageContent => ({
  kind: "message",
  sender_id,
  content: "text",
  text,
});
const received = (seq: number, text = `text ${seq}`, at = 1_000 + seq) => ({
  conversation_id: TALK,
  seq,
  message_id: `message-${seq}`,
  at,
  content: words(text),
});
const own = (text: string, client_message_id = "own-message-1") => ({
  conversation_id: TALK,
  client_message_id,
  at: 2_000,
  content: words(text, "me"),
});
const texts = (talk = store.conversations(KEY)) =>
  talk.before(...ALL).map(({ content }) => (content?.kind === "message" ? content.text : null));

describe("the messages of a conversation", () => {
  it("are stored once for each number, even when two arrive at once, and after a restart", async () => {
    const talk = store.conversations(KEY);
    const [first, again] = await Promise.all([
      talk.receive(received(1)),
      talk.receive(received(1)),
    ]);
    expect(first).toMatchObject({ seq: 1, state: "received", content: words("text 1") });
    expect(again).toBeNull();
    store.close();
    store = open();
    expect(await store.conversations(KEY).receive(received(1))).toBeNull();
    expect(texts()).toEqual(["text 1"]);
  });

  it("are nowhere in the clear, neither while the store is open nor after", async () => {
    const secret = "a sentence that stands nowhere else";
    const talk = store.conversations(KEY);
    await talk.receive(received(1, secret));
    await talk.send(own(secret));
    await talk.describe(TALK, { kind: "group", title: secret, agent_ids: [] });
    expect(filesContaining(dataDir, secret)).toEqual([]);
    store.close();
    expect(filesContaining(dataDir, secret)).toEqual([]);
  });

  it("do not open under another key, nor in another row's place", async () => {
    await store.conversations(KEY).receive(received(1));
    const [item] = store.conversations(randomBytes(32)).before(...ALL);
    expect(item).toMatchObject({ seq: 1, content: null });
  });

  it("never come before one that arrived earlier, whatever the sender's clock says", async () => {
    const talk = store.conversations(KEY);
    await talk.receive(received(1, "first", 5_000));
    await talk.receive(received(2, "second", 3_000));
    expect(talk.before(...ALL).map(({ at }) => at)).toEqual([5_000, 5_000]);
    expect(texts()).toEqual(["second", "first"]);
  });

  it("are read in pages without a gap or a repetition", async () => {
    const talk = store.conversations(KEY);
    for (const seq of [1, 2, 3, 4, 5]) await talk.receive(received(seq));
    const newest = talk.before(TALK, Number.MAX_SAFE_INTEGER, 2);
    const older = talk.before(TALK, newest.at(-1)?.number ?? 0, 10);
    expect(newest.map(({ seq }) => seq)).toEqual([5, 4]);
    expect(older.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  });
});

describe("a message of the person's own", () => {
  it("waits in the order it was written, across a restart, until the hub has answered", async () => {
    const talk = store.conversations(KEY);
    await talk.send(own("one", "own-message-1"));
    await talk.send(own("two", "own-message-2"));
    store.close();
    store = open();
    const again = store.conversations(KEY);
    expect(again.sending().map(({ client_message_id }) => client_message_id)).toEqual([
      "own-message-1",
      "own-message-2",
    ]);
    const receipt = { message_id: "message-7", conversation_seq: 7 };
    expect(await again.sent(TALK, "own-message-1", receipt)).toMatchObject({
      state: "sent",
      seq: 7,
    });
    await again.refused(TALK, "own-message-2", "RATE_LIMITED");
    expect(again.sending()).toEqual([]);
  });

  it("with an id that is taken is the first one; a refused one is sent again", async () => {
    const talk = store.conversations(KEY);
    await talk.send(own("one"));
    expect((await talk.send(own("other"))).content).toMatchObject({ text: "one" });
    await talk.refused(TALK, "own-message-1", "RATE_LIMITED");
    expect(await talk.send(own("one"))).toMatchObject({ state: "sending", refusal: null });
    expect(texts()).toEqual(["one"]);
  });
});

describe("what was seen and what was deleted", () => {
  it("counts what others wrote after the newest that was seen, and never back", async () => {
    const talk = store.conversations(KEY);
    for (const seq of [1, 2, 3]) await talk.receive(received(seq));
    await talk.send(own("mine"));
    expect(talk.state(TALK)).toMatchObject({ unread: 3, read_seq: 0 });
    await talk.markRead(TALK, 2);
    await talk.markRead(TALK, 1);
    expect(talk.state(TALK)).toMatchObject({ unread: 1, read_seq: 2 });
  });

  it("is gone for good, even if the hub delivers it again", async () => {
    const talk = store.conversations(KEY);
    for (const seq of [1, 2]) await talk.receive(received(seq));
    await talk.empty(TALK);
    expect(await talk.receive(received(2))).toBeNull();
    expect(await talk.receive(received(3))).not.toBeNull();
    expect(texts()).toEqual(["text 3"]);
    await talk.drop(TALK);
    expect(talk.ids()).toEqual([]);
    expect(texts()).toEqual([]);
  });
});

describe("what is kept of one sender's messages", () => {
  const LONG = "long ".repeat(1_000);
  const from = (sender_id: string, seq: number, conversation_id = TALK) => ({
    ...received(seq),
    conversation_id,
    content: words(LONG, sender_id),
  });

  it("is counted in all conversations, each message once, and is still known after a restart", async () => {
    const talk = store.conversations(KEY);
    await talk.receive(from("agent-1", 1));
    const one = talk.keptBytes("agent-1");
    expect(one).toBeGreaterThan(LONG.length + LIMITS.messageOverheadBytes);
    expect(one).toBeLessThan(LONG.length + 2 * LIMITS.messageOverheadBytes);
    await talk.receive(from("agent-1", 1));
    await talk.receive(from("agent-1", 1, "group-1"));
    await talk.receive(from("agent-2", 2));
    await talk.send(own(LONG));
    store.close();
    store = open();
    const again = store.conversations(KEY);
    expect(["agent-1", "agent-2", "me"].map((id) => again.keptBytes(id))).toEqual([
      2 * one,
      one,
      0,
    ]);
  });

  it("is not much more for an artifact that is stored as data, however it is nested", async () => {
    const talk = store.conversations(KEY);
    let list: JsonValue = Array<JsonValue>(10_000).fill(1);
    for (let depth = 0; depth < 50; depth += 1) list = [list];
    const blocks = [{ tag: "other", list }];
    const state = { artifact_id: "a", revision: 0, title: null, blocks, waiting: [] };
    const content = { kind: "artifact", sender_id: "agent-1", state } as const;
    await talk.receive({ ...received(1), content });
    const one = talk.keptBytes("agent-1");
    await talk.receive({ ...received(2), content });
    expect(talk.keptBytes("agent-1")).toBeLessThan(2.1 * one);
  });

  it("is reduced when a history is deleted", async () => {
    const talk = store.conversations(KEY);
    await talk.receive(from("agent-1", 1));
    const one = talk.keptBytes("agent-1");
    await talk.receive(from("agent-1", 1, "group-1"));
    await talk.empty(TALK);
    expect(talk.keptBytes("agent-1")).toBe(one);
    await talk.drop("group-1");
    expect(talk.keptBytes("agent-1")).toBe(0);
  });

  it("is nothing once they were erased with the key that sealed them", async () => {
    await store.conversations(KEY).receive(from("agent-1", 1));
    store.close();
    forgetSealed(dataDir, 1, { rows: "all", values: [] });
    store = open();
    expect(store.conversations(randomBytes(32)).keptBytes("agent-1")).toBe(0);
  });
});
