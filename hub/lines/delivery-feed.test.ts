import { expect, test } from "vitest";
import type { MessageStore, Undelivered } from "../storage/message-store.ts";
import { ManualTime } from "../testing/manual-time.ts";
import { DeliveryFeed } from "./delivery-feed.ts";
import type { Line } from "./line.ts";

const CONGESTED = 9 * 1024 * 1024;

function setUp(stored: number) {
  const waiting: Undelivered[] = [];
  const store = (delivery_id: number): void => {
    waiting.push({
      delivery_id,
      message_id: `m${delivery_id}`,
      conversation_id: "c",
      conversation_seq: delivery_id,
      conversation_type: "h2a",
      sender_id: "s",
      sender_type: "human",
      content_type: "text",
      msg_subtype: null,
      payload: "",
      created_at: 0,
    });
  };
  for (let id = 1; id <= stored; id += 1) store(id);
  const messages: Pick<MessageStore, "undelivered"> = {
    undelivered: (_recipient, after, limit) =>
      waiting.filter(({ delivery_id }) => delivery_id > after).slice(0, limit),
  };
  const sent: number[] = [];
  const state = { buffered: 0 };
  const line: Line = {
    send: (text) => void sent.push(JSON.parse(text).conversation_seq),
    close: () => undefined,
    onFrame: () => undefined,
    onClose: () => undefined,
    bufferedBytes: () => state.buffered,
  };
  const time = new ManualTime();
  const failures: unknown[] = [];
  const feed = new DeliveryFeed(line, "r", messages as MessageStore, time, (error) =>
    failures.push(error),
  );
  const live = (id: number): void => {
    store(id);
    feed.offer(id, JSON.stringify({ conversation_seq: id }));
  };
  return { feed, live, sent, state, time, failures, messages };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

test("a long backlog comes page by page, and a live message never overtakes it", () => {
  const { feed, live, sent, time } = setUp(70);
  feed.begin();
  live(71);
  expect(sent).toEqual(upTo(32));
  time.pass(1);
  live(72);
  expect(sent).toEqual(upTo(72));
});

test("a reader that falls behind is fed from the store again, without gaps or repeats", () => {
  const { feed, live, sent, state, time } = setUp(0);
  feed.begin();
  live(1);
  state.buffered = CONGESTED;
  live(2);
  live(3);
  time.pass(1_000);
  expect(sent).toEqual([1]);
  state.buffered = 0;
  time.pass(50);
  live(4);
  expect(sent).toEqual([1, 2, 3, 4]);
});

test("an ended feed sends nothing more and leaves no timer", () => {
  const { feed, live, sent, time } = setUp(70);
  feed.begin();
  feed.end();
  live(71);
  time.pass(1);
  expect(sent).toHaveLength(32);
  expect(time.pending).toBe(0);
});

test("a store that fails while a reader catches up is reported", () => {
  const { feed, messages, time, failures } = setUp(70);
  feed.begin();
  const fault = new Error("disk");
  messages.undelivered = () => {
    throw fault;
  };
  time.pass(1);
  expect(failures).toEqual([fault]);
});
