import { expect, test } from "vitest";
import { type ShownStream, withoutArrived, withStream } from "./streams.ts";
import { message } from "./testing/items.ts";

const event = { conversation_id: "c", stream_id: "s", sender_id: "agent-1", at: 100 } as const;
const grown = (): readonly ShownStream[] => {
  const opened = withStream([], { ...event, kind: "opened" }, []);
  const begun = withStream(opened, { ...event, kind: "delta", text: "Hel" }, []);
  return withStream(begun, { ...event, kind: "delta", text: "lo" }, []);
};

test("a text grows with what is heard of it, also when its beginning was missed", () => {
  expect(grown()).toMatchObject([{ text: "Hello", done: false }]);
  expect(withStream([], { ...event, kind: "delta", text: "lo" }, [])).toMatchObject([
    { text: "lo" },
  ]);
});

test("a finished text stays until its message has come", () => {
  const done = withStream(grown(), { ...event, kind: "done" }, [message("old", 50)]);
  expect(done).toMatchObject([{ text: "Hello", done: true }]);
  expect(withoutArrived(done, [message("m", 90, { sender_id: "other" })])).toBe(done);
  expect(withoutArrived(done, [message("m", 90)])).toEqual([]);
});

test("a text whose message came first goes at once, and so does one that was given up", () => {
  expect(withStream(grown(), { ...event, kind: "done" }, [message("m", 110)])).toEqual([]);
  const same = message("m", 90, { text: "Hello" });
  expect(withStream(grown(), { ...event, kind: "done" }, [same])).toEqual([]);
  expect(withStream(grown(), { ...event, kind: "aborted" }, [])).toEqual([]);
});

test("a text that is being written stays when another message comes", () => {
  const writing = grown();
  expect(withoutArrived(writing, [message("m", 110)])).toBe(writing);
});
