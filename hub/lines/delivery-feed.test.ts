import { expect, test } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import type { Undelivered } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
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
  const storage: Pick<HubStorage, "undelivered"> = {
    undelivered: async (_recipient, after, limit) =>
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
  const feed = new DeliveryFeed(line, "r", storage, time, (error) => failures.push(error));
  const live = (id: number): void => {
    store(id);
    feed.offer(id, JSON.stringify({ conversation_seq: id }));
  };
  return { feed, live, sent, state, time, failures, storage };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

/** What was asked of the store has been answered. */
const read = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a long backlog comes page by page, and a live message never overtakes it", async () => {
  const { feed, live, sent, time } = setUp(70);
  feed.begin();
  await read();
  live(71);
  expect(sent).toEqual(upTo(32));
  time.pass(1);
  await read();
  live(72);
  expect(sent).toEqual(upTo(64));
  time.pass(1);
  await read();
  expect(sent).toEqual(upTo(72));
});

test("a reader that falls behind is fed from the store again, without gaps or repeats", async () => {
  const { feed, live, sent, state, time } = setUp(0);
  feed.begin();
  await read();
  live(1);
  state.buffered = CONGESTED;
  live(2);
  live(3);
  time.pass(1_000);
  await read();
  expect(sent).toEqual([1]);
  state.buffered = 0;
  time.pass(50);
  await read();
  live(4);
  expect(sent).toEqual([1, 2, 3, 4]);
});

test("an ended feed sends nothing more and leaves no timer", async () => {
  const { feed, live, sent, time } = setUp(70);
  feed.begin();
  await read();
  feed.end();
  live(71);
  time.pass(1);
  await read();
  expect(sent).toHaveLength(32);
  expect(time.pending).toBe(0);
});

test("a store that fails while a reader catches up is reported", async () => {
  const { feed, storage, time, failures } = setUp(70);
  feed.begin();
  await read();
  const fault = new Error("disk");
  storage.undelivered = () => Promise.reject(fault);
  time.pass(1);
  await read();
  expect(failures).toEqual([fault]);
});

test("a message that comes while the last page is being read is not passed over", async () => {
  const { feed, live, sent, storage } = setUp(1);
  const { undelivered } = storage;
  storage.undelivered = async (...asked) => {
    const page = await undelivered(...asked);
    if (sent.length === 0) live(2);
    return page;
  };
  feed.begin();
  await read();
  live(3);
  expect(sent).toEqual([1, 2, 3]);
});
