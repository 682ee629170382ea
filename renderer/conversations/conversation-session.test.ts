import { expect, test } from "vitest";
import type { CallArgs } from "../../app/bridge/calls.ts";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import type { ConversationItem, ConversationPage } from "../../app/bridge/conversation-views.ts";
import { ConversationSession } from "./conversation-session.ts";
import { message } from "./testing/items.ts";

const pageOf = (items: readonly ConversationItem[], next: number | null): ConversationPage => ({
  items,
  next_before: next === null ? null : { message: next, call: 0 },
  streams: [],
  typing: [],
});

/** A session whose host answers each request when told to. */
function opened() {
  const asked: {
    readonly args: CallArgs<"conversations.page">;
    readonly answer: (page: ConversationPage) => void;
    readonly fail: () => void;
  }[] = [];
  const ending = new AbortController();
  const session = new ConversationSession(
    {
      page: (args) =>
        new Promise((answer, reject) => {
          asked.push({ args, answer, fail: () => reject(bridgeError("disconnected")) });
        }),
      signal: ending.signal,
    },
    "c",
  );
  /** The reading with this number is answered by these items, and by where older ones begin. */
  const reads = (nth: number, items: readonly ConversationItem[], next: number | null) => {
    asked[nth]?.answer(pageOf(items, next));
    return settled();
  };
  return { session, asked, reads, ending };
}
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};
const ids = (session: ConversationSession) =>
  session.store.getState().items.map(({ item_id }) => item_id);
const changed = (items: readonly ConversationItem[], removed: readonly string[] = []) => ({
  conversation_id: "c",
  items,
  removed,
});

test("the newest page is read first, older ones when they are wanted, each once", async () => {
  const { session, asked, reads } = opened();
  void session.start();
  await reads(0, [message("c", 30), message("d", 40)], 30);
  void session.readOlder();
  void session.readOlder();
  expect(asked).toHaveLength(2);
  expect(asked[1]?.args.before).toEqual({ message: 30, call: 0 });
  await reads(1, [message("a", 10), message("b", 20)], null);
  expect(ids(session)).toEqual(["a", "b", "c", "d"]);
  void session.readOlder();
  expect(asked).toHaveLength(2);
});

test("what arrives while a page is read is kept, and is newer than the page", async () => {
  const { session, reads } = opened();
  void session.start();
  await reads(0, [message("b", 20, { text: "old" })], 20);
  void session.readOlder();
  session.accept(changed([message("b", 20, { text: "new" }), message("c", 30)]));
  await reads(1, [message("a", 10), message("b", 20, { text: "old" })], null);
  expect(ids(session)).toEqual(["a", "b", "c"]);
  expect(session.store.getState().items[1]).toMatchObject({ text: "new" });
  expect(session.store.getState().arrived.map(({ item_id }) => item_id)).toEqual(["c"]);
});

test("what is told while the newest page is read is newer than that page", async () => {
  const { session, reads } = opened();
  void session.start();
  session.accept(changed([message("z", 90)], ["waiting"]));
  await reads(0, [message("a", 10), message("waiting", 20)], null);
  expect(ids(session)).toEqual(["a", "z"]);
});

test("a reading that fails is said, and can be tried again", async () => {
  const { session, asked, reads } = opened();
  void session.start();
  asked[0]?.fail();
  await settled();
  expect(session.store.getState()).toMatchObject({ phase: "failed", failure: "disconnected" });
  void session.start();
  await reads(1, [message("a", 1)], null);
  expect(session.store.getState()).toMatchObject({ phase: "idle", failure: null });
});

test("a newest page that could not be read after updates were missed is read when tried again", async () => {
  const { session, asked, reads } = opened();
  void session.start();
  await reads(0, [message("a", 1)], null);
  void session.start();
  asked[1]?.fail();
  await settled();
  expect(session.store.getState().phase).toBe("failed");
  void session.start();
  await reads(2, [message("a", 1), message("missed", 2)], null);
  expect([session.store.getState().phase, ids(session)]).toEqual(["idle", ["a", "missed"]]);
});

test("after a gap, what was read before gives way to the newest page", async () => {
  const { session, reads } = opened();
  void session.start();
  await reads(0, [message("a", 1)], null);
  void session.start();
  await reads(1, [message("x", 90), message("y", 91)], 90);
  expect(ids(session)).toEqual(["x", "y"]);
  void session.start();
  await reads(2, [message("y", 91), message("z", 92)], 91);
  expect(ids(session)).toEqual(["x", "y", "z"]);
  expect(session.store.getState().older).toEqual({ message: 90, call: 0 });
});

test("a deleted history is gone, also from a page that was being read", async () => {
  const { session, reads } = opened();
  void session.start();
  session.empty();
  await reads(0, [message("a", 1)], null);
  expect(ids(session)).toEqual([]);
  await reads(1, [], null);
  expect(session.store.getState()).toMatchObject({ items: [], phase: "idle" });
});

test("somebody writes until they do not", () => {
  const { session } = opened();
  const sign = { conversation_id: "c", sender_id: "agent-1" };
  session.typing({ ...sign, until: 10 });
  session.typing({ ...sign, until: 20 });
  expect(session.store.getState().typing).toEqual([{ sender_id: "agent-1", until: 20 }]);
  session.typing({ ...sign, until: null });
  expect(session.store.getState().typing).toEqual([]);
});

test("nothing is heard once the page has gone", async () => {
  const { session, asked, ending } = opened();
  void session.start();
  ending.abort();
  asked[0]?.answer(pageOf([message("a", 1)], null));
  session.accept(changed([message("b", 2)]));
  await settled();
  expect(ids(session)).toEqual([]);
});
