import { expect, test } from "vitest";
import { linkedFrameSockets } from "../../app/protocol/v1/frame-socket.ts";
import { ManualTime } from "../testing/manual-time.ts";
import { TestClient } from "../testing/test-client.ts";
import { Session, type SessionHost } from "./session.ts";

function connect(change: Partial<SessionHost>) {
  const events: string[] = [];
  const host: SessionHost = {
    authenticate: async () => ({ id: "someone", type: "human" }),
    opened: () => void events.push("opened"),
    received: () => void events.push("received"),
    closed: () => void events.push("closed"),
    failed: () => void events.push("failed"),
    ended: () => void events.push("ended"),
    ...change,
  };
  const [theirs, ours] = linkedFrameSockets();
  const time = new ManualTime();
  new Session(ours, host, time);
  const client = new TestClient(theirs);
  client.send({ type: "auth", token: "t" });
  return { client, events, time };
}

const broken = (): never => {
  throw new Error("disk");
};

test("a failure of the hub while opening closes that connection with 1011", async () => {
  const { client, events, time } = connect({ opened: broken });
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

test("a failure of the hub while checking a token lets nobody in", async () => {
  const { client, events } = connect({ authenticate: async () => broken() });
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
