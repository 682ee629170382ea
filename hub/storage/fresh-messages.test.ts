import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { digestOf } from "../../app/contract/digest.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { realClock } from "../../sdk/options.ts";
import type { Kept, NewMessage } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { sampleManifest } from "../testing/sample-manifest.ts";
import { openStorage } from "./open-storage.ts";

const manifest = sampleManifest() as unknown as Manifest;
const scratch = ScratchFolder.forEachTest();
let storage: HubStorage;
/** Another connection, which sees only what is committed. */
let disk: Database.Database;

const file = () => join(scratch.base, "hub.db");
const opened = () =>
  openStorage({
    databasePath: file(),
    clock: { now: () => 0 },
    scheduler: realClock,
    random: (bytes) => Buffer.alloc(bytes, 1),
    log: () => undefined,
    limits: { sentBytesPerMinute: null },
  });

beforeEach(async () => {
  storage = await opened();
  for (const id of ["a", "b"]) await add(id);
  disk = new Database(file());
});
afterEach(async () => {
  vi.useRealTimers();
  disk.close();
  await storage.close();
});

async function add(agent_id: string): Promise<void> {
  await storage.addAgent(
    {
      agent_id,
      owner_id: "person",
      name: "Agent",
      token_hash: Buffer.from(agent_id),
      manifest,
      manifest_hash: digestOf(manifest as unknown as JsonValue),
      created_at: 0,
    },
    undefined,
  );
  await storage.changeRelation({ agent_id, user_id: "person" }, () => ({
    relation: {
      relation_id: `relation-${agent_id}`,
      agent_id,
      user_id: "person",
      conversation_id: `talk-${agent_id}`,
      granted_scopes: [],
      status: "active",
      connection_mode: "websocket",
      reauth: null,
      answer: null,
    },
    events: [],
  }));
}

const message = (id: string, change: Partial<NewMessage> = {}): NewMessage => ({
  message_id: `message-${id}`,
  conversation_id: "talk-a",
  sender_id: "a",
  sender_type: "agent",
  client_message_id: id,
  content_type: "text",
  msg_subtype: null,
  payload: "AGhp",
  created_at: 0,
  ...change,
});
const say = (id: string, change: Partial<NewMessage> = {}, bytes = 516) =>
  storage.acceptMessage(message(id, change), {
    bytes,
    isCall: false,
    isInHistory: true,
    refusal: null,
  });
async function said(...what: Parameters<typeof say>): Promise<Kept> {
  const kept = await say(...what);
  if ("refused" in kept) throw new Error(kept.refused);
  return kept;
}
/** From the person, whose messages are not limited. */
const answered = (id: string, conversation_id = "talk-a") =>
  said(id, { conversation_id, sender_id: "person", sender_type: "human" }, 0);
const rows = (sql: string) => disk.prepare(sql).all();
const MESSAGES = "SELECT client_message_id AS id, payload FROM messages ORDER BY message_row";
const COUNTS = `SELECT recipient_id AS id, waiting AS n FROM queues WHERE waiting > 0
  UNION ALL SELECT sender_id, bytes FROM waiting_bytes WHERE bytes > 0`;
const waiting = async (id: string) =>
  (await storage.undelivered(id, 0, 100)).map(({ message_id }) => message_id);
const isSafe = async ({ safe }: Kept): Promise<boolean> => {
  const turn = new Promise((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([safe(true).then(() => true), turn]) as Promise<boolean>;
};

test("a message that is received at once is on the disk only to recognize its resend, in one row", async () => {
  await said("m");
  const received = storage.received("person", "talk-a", 1);
  expect(rows(MESSAGES)).toEqual([]);
  await received;
  expect(rows(MESSAGES)).toEqual([{ id: "m", payload: null }]);
  expect(rows(COUNTS)).toEqual([]);
  // No delivery ever had a row.
  expect(rows("SELECT * FROM sqlite_sequence WHERE name = 'deliveries'")).toEqual([]);
  expect(rows("SELECT last_seq FROM conversations WHERE conversation_id = 'talk-a'")).toEqual([
    { last_seq: 1 },
  ]);
  expect(await say("m")).toMatchObject({ receipt: { conversation_seq: 1 }, deliveries: [] });
});

test("the first commit passes by what somebody has yet to receive; the second stores it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [kept] = [await said("m1"), await answered("m2")];
  void storage.received("a", "talk-a", 2);
  vi.runOnlyPendingTimers();
  expect(rows(MESSAGES)).toEqual([{ id: "m2", payload: null }]);
  expect([rows(COUNTS), await isSafe(kept)]).toEqual([[], false]);
  const later = await said("m3");
  vi.runOnlyPendingTimers();
  expect(rows(MESSAGES)).toEqual([
    { id: "m2", payload: null },
    { id: "m1", payload: "AGhp" },
  ]);
  expect([await isSafe(kept), await isSafe(later)]).toEqual([true, false]);
  expect(rows(COUNTS)).toEqual([
    { id: "person", n: 1 },
    { id: "a", n: 516 },
  ]);
  vi.runOnlyPendingTimers();
  expect(await isSafe(later)).toBe(true);
});

test("to receive what is stored leaves in memory what is not", async () => {
  await said("m1");
  await storage.snapshot({ id: "a", type: "agent" });
  await said("m2");
  const one = storage.received("person", "talk-a", 1);
  void storage.received("person", "talk-a", 2);
  await one;
  expect(rows(MESSAGES)).toEqual([
    { id: "m1", payload: null },
    { id: "m2", payload: null },
  ]);
  // The second was never owed on the disk.
  expect(rows("SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'")).toEqual([{ seq: 1 }]);
  expect(rows(COUNTS)).toEqual([]);
});

test("a read in between sees what is in memory, and what was received there", async () => {
  await said("m1");
  expect(await waiting("person")).toEqual(["message-m1"]);
  await Promise.all([said("m2"), answered("m3")]);
  void storage.received("person", "talk-a", 2);
  const summary = { conversation_id: "talk-a", last_seq: 3 };
  expect(await storage.conversationsOf("a")).toMatchObject([summary]);
  expect(await waiting("person")).toEqual(["message-m1"]);
  await answered("m4");
  expect(await storage.conversationOf("a", "talk-a")).toMatchObject({ summary: { last_seq: 4 } });
  await answered("m5");
  expect((await storage.markRead("talk-a", "a", 9))?.seq).toBe(5);
  await answered("m6", "talk-b");
  expect(await storage.lanes("b")).toEqual(["talk-b"]);
  expect(rows(COUNTS)).toEqual([
    { id: "a", n: 3 },
    { id: "b", n: 1 },
    { id: "person", n: 1 },
    { id: "a", n: 516 },
  ]);
});

test("a message that only some have received waits for the others alone", async () => {
  await storage.createGroup({ id: "person", type: "human" }, [], () => ({
    conversation_id: "group",
    ownerId: "person",
    title: null,
    members: ["a", "b"].map((member_id) => ({ member_id, member_type: "agent" })),
  }));
  const kept = await said("m", { conversation_id: "group" });
  for (const each of ["b", "b", "a"]) void storage.received(each, "group", 1);
  expect(await isSafe(kept)).toBe(false);
  expect([await waiting("person"), await waiting("b")]).toEqual([["message-m"], []]);
  expect(rows(COUNTS)).toEqual([
    { id: "person", n: 1 },
    { id: "a", n: 516 },
  ]);
  await storage.received("person", "group", 1);
  expect([rows(COUNTS), rows(MESSAGES)]).toEqual([[], [{ id: "m", payload: null }]]);
});

test("a full queue counts what is in the tables and in memory, and what was received in either", async () => {
  const refused = { refused: "RECIPIENT_QUEUE_FULL" };
  for (let nth = 1; nth <= 600; nth += 1) await say(`m${nth}`);
  await storage.snapshot({ id: "a", type: "agent" });
  for (let nth = 601; nth <= UNDELIVERED_AT_MOST; nth += 1) await say(`m${nth}`);
  expect(await say("over")).toEqual(refused);
  for (const seq of [1, UNDELIVERED_AT_MOST]) void storage.received("person", "talk-a", seq);
  expect([await say("m1001"), await say("m1002"), await say("over")]).toMatchObject([
    { receipt: { conversation_seq: UNDELIVERED_AT_MOST + 1 } },
    { receipt: { conversation_seq: UNDELIVERED_AT_MOST + 2 } },
    refused,
  ]);
});

test("an agent's waiting bytes count what is in the tables and in memory", async () => {
  const refused = { refused: "RECIPIENT_QUEUE_FULL" };
  const half = LIMITS.waitingBytes / 2;
  const payload = "A".repeat(half - LIMITS.messageOverheadBytes);
  const sayHalf = (id: string) => say(id, { payload }, half);
  await sayHalf("m1");
  expect(await sayHalf("m2")).toMatchObject({ deliveries: [{}] });
  expect(await sayHalf("m3")).toEqual(refused);
  void storage.received("person", "talk-a", 2);
  expect(await sayHalf("m3")).toMatchObject({ deliveries: [{}] });
  await storage.snapshot({ id: "a", type: "agent" });
  expect(await sayHalf("m4")).toEqual(refused);
  void storage.received("person", "talk-a", 1);
  expect(await sayHalf("m4")).toMatchObject({ deliveries: [{}] });
});

test("a resend of what is in memory is recognized as the database would recognize it", async () => {
  await said("m\ud800");
  const again = { receipt: { message_id: "message-m\ud800" }, deliveries: [] };
  expect(await say("m\ud801")).toMatchObject(again);
  expect(await waiting("person")).toEqual(["message-m\ufffd"]);
  expect(await say("m\ud801")).toMatchObject({ ...again, receipt: { conversation_seq: 1 } });
});

test("a message is safe once everybody has received it, also when it is written but not committed", async () => {
  const kept = await said("m");
  void storage.markRead("talk-a", "person", 1);
  expect(await isSafe(kept)).toBe(false);
  void storage.received("person", "talk-a", 1);
  expect(await isSafe(await said("m"))).toBe(true);
  expect(await isSafe(kept)).toBe(true);
  expect(rows(MESSAGES)).toEqual([]);
});

test("a lost commit costs its messages and their numbers; neither is given twice", async () => {
  disk.exec(`CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'full'); END`);
  const kept = await said("m1");
  const received = storage.received("a", "talk-a", 1);
  await expect(kept.safe(false)).rejects.toThrow("full");
  await expect(received).rejects.toThrow("full");
  disk.exec("DROP TRIGGER full");
  await storage.received("person", "talk-a", 1);
  const [{ delivery_id = 0 } = {}] = kept.deliveries;
  expect(await said("m1")).toMatchObject({
    receipt: { conversation_seq: 2 },
    deliveries: [{ recipient_id: "person", delivery_id: delivery_id + 1 }],
  });
  expect(await waiting("person")).toEqual(["message-m1"]);
  expect(rows(COUNTS)).toEqual([
    { id: "person", n: 1 },
    { id: "a", n: 516 },
  ]);
});

test("numbers that were lost are not given again after the hub was closed", async () => {
  disk.exec(`CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'full'); END`);
  await expect((await said("m1")).safe(false)).rejects.toThrow("full");
  disk.exec("DROP TRIGGER full");
  await storage.close();
  storage = await opened();
  expect(await said("m1")).toMatchObject({ receipt: { conversation_seq: 2 } });
});
