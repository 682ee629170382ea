import { expect, test } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { linkedFrameSockets } from "../../app/protocol/v1/frame-socket.ts";
import { Connection } from "../lines/connections.ts";
import { DeliveryFeed } from "../lines/delivery-feed.ts";
import type { Line } from "../lines/line.ts";
import { TestClient } from "../testing/test-client.ts";
import { Session, type SessionHost } from "./session.ts";

function connect(change: Partial<SessionHost>) {
  const events: string[] = [];
  const [theirs, ours] = linkedFrameSockets();
  const line: Line = Object.assign(ours, {
    pause: () => void events.push("paused"),
    resume: () => void events.push("resumed"),
  });
  const time = new ManualTime();
  const storage = { undelivered: async () => [] };
  const host: SessionHost = {
    inTurn: (letIn) => letIn(),
    authenticate: async () => ({ id: "someone", type: "human" }),
    connect: (session, subject) => {
      const feed = new DeliveryFeed(session.line, subject.id, storage, time, () => undefined);
      return new Connection(subject, session.line, feed, session);
    },
    snapshot: async () => {
      events.push("opened");
      return [];
    },
    received: async () => void events.push("received"),
    closed: () => void events.push("closed"),
    failed: () => void events.push("failed"),
    ended: () => void events.push("ended"),
    ...change,
  };
  new Session(line, host, time);
  const client = new TestClient(theirs);
  client.send({ type: "auth", token: "t" });
  return { client, events, time };
}

const broken = async (): Promise<never> => {
  throw new Error("disk");
};

test("a failure of the hub while opening closes that connection with 1011", async () => {
  const { client, events, time } = connect({ snapshot: broken });
  expect(await client.closed).toBe(1011);
  expect(events).toEqual(["failed", "closed", "ended"]);
  expect(time.pending).toBe(0);
});

test("a failure of the hub while handling a frame closes that connection with 1011", async () => {
  const { client, events } = connect({ received: broken });
  await client.next("auth.ok");
  client.send({ type: "pong" });
  expect(await client.closed).toBe(1011);
  expect(events).toEqual(["opened", "failed", "closed", "ended"]);
});

test("what is said to somebody before it knows how things stand comes behind that", async () => {
  let connection: Connection | undefined;
  const { client } = connect({
    snapshot: async (opened) => {
      connection = opened;
      await Promise.resolve();
      opened.send(JSON.stringify({ type: "ping" }));
      return [{ type: "prekeys.low", one_time_left: 1 }];
    },
  });
  await client.next("ping");
  expect(client.frames.map(({ type }) => type)).toEqual(["auth.ok", "prekeys.low", "ping"]);
  connection?.send(JSON.stringify({ type: "ping" }));
  await client.next("ping");
});

test("a failure of the hub while checking a token lets nobody in", async () => {
  const { client, events } = connect({ authenticate: broken });
  expect(await client.closed).toBe(1011);
  expect(events).toEqual(["failed", "ended"]);
  expect(client.frames).toEqual([]);
});

test("a connection that goes away while its token is checked is never opened", async () => {
  let decide: (subject: { id: string; type: "human" }) => void = () => undefined;
  const { client, events, time } = connect({
    authenticate: () =>
      new Promise((resolve) => {
        decide = resolve;
      }),
  });
  client.close();
  await client.closed;
  decide({ id: "late", type: "human" });
  await Promise.resolve();
  expect(events).toEqual(["ended"]);
  expect(time.pending).toBe(0);
});

test("more frames than are kept while a token is checked close the connection", async () => {
  const { client } = connect({ authenticate: () => new Promise(() => undefined) });
  for (let frame = 0; frame < 65; frame += 1) client.send({ type: "pong" });
  expect(await client.closed).toBe(4400);
});

test("who is over a limit is read later, for each message, but not later than it may send again", async () => {
  let over: readonly number[] = [];
  const { client, events, time } = connect({
    received: async (connection) => {
      for (const mostMs of over) connection.session.holdBack(mostMs);
      connection.send(JSON.stringify({ type: "ping" }));
    },
  });
  await client.next("auth.ok");
  const heldFor = async (...waits: readonly number[]) => {
    over = waits;
    events.length = 0;
    client.send({ type: "pong" });
    await client.next("ping");
    expect(events).toEqual(["paused"]);
    const began = time.now();
    while (!events.includes("resumed")) time.pass(1);
    return time.now() - began;
  };
  expect(await heldFor(60_000)).toBe(20);
  expect(await heldFor(60_000, 60_000, 59_999)).toBe(60);
  expect(await heldFor(7)).toBe(7);
  expect(await heldFor(...Array<number>(100).fill(1_000))).toBe(1_000);
});

test("nothing is read or timed any more once a connection that is held back is closed", async () => {
  const { client, events, time } = connect({
    received: async (connection) => {
      connection.session.holdBack(60_000);
      connection.session.close(1000);
    },
  });
  await client.next("auth.ok");
  client.send({ type: "pong" });
  await client.closed;
  expect(events).toEqual(["opened", "paused", "closed", "ended"]);
  expect(time.pending).toBe(0);
});
