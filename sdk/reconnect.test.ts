import { describe, expect, it } from "vitest";
import { ManualTime, turn } from "../app/contract/testing/manual-time.ts";
import { HasheeAgent } from "./agent.ts";
import { AgentError } from "./errors.ts";
import type { AgentStatus } from "./events.ts";
import type { KeyStore } from "./options.ts";
import { CONVERSATION, FakeHub, TOKEN } from "./testing/fake-hub.ts";
import { FakeRest } from "./testing/fake-rest.ts";
import { eventsOf, MANIFEST, optionsAt, startAgent } from "./testing/start-agent.ts";

const call = (agent: HasheeAgent, options = {}) =>
  agent.callTool(CONVERSATION, "read_file", { path: "/a" }, options);

/** An agent that starts while its hub is in this state. */
function starting(over = {}, state: Partial<Pick<FakeHub, "isUp" | "answersAuth">> = {}) {
  const [hub, clock] = [Object.assign(new FakeHub(), state), new ManualTime()];
  const options = { ...optionsAt(hub, clock), baseUrl: "https://hub.example/base/" };
  return { hub, clock, agent: HasheeAgent.init({ ...options, manifest: MANIFEST, ...over }) };
}

describe("the connection", () => {
  it("asks for the agent's address and authenticates with the first frame", async () => {
    const { hub, agent } = starting({ agentId: "a b" });
    expect((await agent).status).toBe("connected");
    expect(hub.socket.url).toBe("wss://hub.example/base/ws/agent?agent_id=a%20b");
    expect(hub.heard).toEqual([{ type: "auth", agent_id: "a b", token: TOKEN }]);
  });

  it("rejects a wrong token and does not try it again", async () => {
    const { hub, clock, agent } = starting({ token: "hsk_wrong" });
    await expect(agent).rejects.toMatchObject({ name: "AgentError", code: "invalid_token" });
    await clock.advance(120_000);
    expect(hub.sockets).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it.each(["invalid_token", "agent_removed"] as const)(
    "closes for good, saying why, when a reconnect is answered with %s",
    async (reason) => {
      const { agent, hub, clock } = await startAgent();
      const seen: [AgentStatus, string | undefined][] = [];
      agent.addStatusHandler((status, cause) => seen.push([status, cause?.code]));
      const failed = (what: Promise<unknown>) => what.catch((error: unknown) => error);
      const send = () => failed(agent.send(CONVERSATION, { type: "text", text: "" }));
      const place = () => failed(call(agent, { timeoutMs: 600_000 }));
      hub.acknowledges = false;
      const waiting = [place(), send()];
      await turn();
      hub.answersAuth = false;
      await hub.lose();
      await clock.advance(1000);
      const texts = { message: "", i18n_key: "" };
      hub.send({ type: "auth.error", reason, ...texts });
      await turn();
      expect(seen).toEqual([
        ["reconnecting", undefined],
        ["closed", reason],
      ]);
      expect(await Promise.all([...waiting, place(), send()])).toMatchObject([
        { name: "ToolCallError", code: reason },
        { name: "AgentError", code: reason },
        { name: "ToolCallError", code: reason },
        { name: "AgentError", code: reason },
      ]);
      expect(() => agent.stream(CONVERSATION)).toThrow(new AgentError(reason));
    },
  );

  it("refuses an invalid base address", async () => {
    const { agent } = starting({ baseUrl: "file:///etc" });
    await expect(agent).rejects.toMatchObject({ code: "invalid_base_url" });
    await expect(agent).rejects.toThrow("invalid_base_url: file:///etc: ");
  });

  it("backs off 1, 2, 4 … 30 s while the hub is away, and starts over after auth.ok", async () => {
    const patient = { connectTimeoutMs: Number.POSITIVE_INFINITY };
    const { hub, clock, agent } = starting(patient, { isUp: false });
    await turn();
    const attempts: number[] = [];
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      await clock.advance(seconds * 1000 - 1);
      const before = hub.sockets.length;
      await clock.advance(1);
      attempts.push(hub.sockets.length - before);
    }
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(hub.sockets).toHaveLength(8);
    hub.isUp = true;
    await clock.advance(30_000);
    await agent;
    await hub.lose();
    expect((await agent).status).toBe("reconnecting");
    await clock.advance(1000);
    expect((await agent).status).toBe("connected");
  });

  it("gives up an attempt that is never answered and makes another", async () => {
    const { hub, clock, agent } = starting({}, { answersAuth: false });
    await clock.advance(15_000);
    hub.answersAuth = true;
    await clock.advance(1000);
    expect((await agent).status).toBe("connected");
  });

  it("does not start when the hub cannot be reached in time, and leaves nothing running", async () => {
    const { clock, agent } = starting({ connectTimeoutMs: 5_000 }, { isUp: false });
    const failed = expect(agent).rejects.toThrow("hub_unreachable: https://hub.example/base/: ");
    await clock.advance(5_000);
    await failed;
    expect(clock.pending).toBe(0);
  });

  it("stops starting when its signal aborts, and leaves nothing running", async () => {
    const abort = new AbortController();
    const { clock, agent } = starting({ signal: abort.signal }, { isUp: false });
    await turn();
    abort.abort();
    await expect(agent).rejects.toMatchObject({ code: "aborted" });
    expect(clock.pending).toBe(0);
  });

  it("connects to nothing when its signal aborts while its keys are read", async () => {
    const abort = new AbortController();
    const { keyStore } = new FakeHub();
    const read = Promise.withResolvers<void>();
    const slow: KeyStore = {
      load: () => read.promise.then(() => keyStore.load()),
      save: (changes) => keyStore.save(changes),
    };
    const { hub, clock, agent } = starting({ signal: abort.signal, keyStore: slow });
    abort.abort();
    read.resolve();
    await expect(agent).rejects.toMatchObject({ code: "aborted" });
    expect(hub.sockets).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("stops starting when its signal aborts while it publishes its keys", async () => {
    const abort = new AbortController();
    const fetch = new FakeRest([]).fetch;
    const { hub, clock, agent } = starting({ signal: abort.signal, fetch });
    await turn();
    expect(hub.socket.isAuthenticated).toBe(true);
    abort.abort();
    await expect(agent).rejects.toMatchObject({ code: "aborted" });
    expect(clock.pending).toBe(0);
  });

  it("answers a ping with a pong", async () => {
    const { hub } = await startAgent();
    hub.send({ type: "ping" });
    await turn();
    expect(hub.frames("pong")).toHaveLength(1);
  });

  it("considers a hub that is silent for 90 s dead and reconnects", async () => {
    const { agent, hub, clock } = await startAgent();
    await clock.advance(60_000);
    hub.send({ type: "ping" });
    await clock.advance(89_999);
    expect(agent.status).toBe("connected");
    await clock.advance(1);
    expect(agent.status).toBe("reconnecting");
    await clock.advance(1000);
    expect(agent.status).toBe("connected");
    expect(hub.sockets).toHaveLength(2);
  });

  it("notices a dead hub no later than 180 s after the clock was set back", async () => {
    const { agent, clock } = await startAgent();
    clock.setBy(-3_600_000);
    await clock.advance(179_999);
    expect(agent.status).toBe("connected");
    await clock.advance(1);
    expect(agent.status).toBe("reconnecting");
  });

  it.each(['{"type":"weather.report"}', "not json", '{"type":"message.new"}', "[]"])(
    "ignores the frame %s but takes it as a sign of life",
    async (text) => {
      const { agent, hub, clock } = await startAgent();
      await clock.advance(60_000);
      hub.socket.send(text);
      await clock.advance(60_000);
      expect(agent.status).toBe("connected");
      expect(hub.sockets).toHaveLength(1);
    },
  );
});

describe("a call across a reconnect", () => {
  it("is sent again with the same id when the hub never acknowledged it, and runs once", async () => {
    const { agent, hub, clock } = await startAgent();
    hub.acknowledges = false;
    const result = call(agent);
    await turn();
    await hub.lose();
    hub.acknowledges = true;
    await clock.advance(1000);
    const [first, second] = hub.frames("message.send");
    expect(second).toEqual(first);
    expect(await hub.calls()).toHaveLength(1);
    await hub.respond((await hub.calls())[0] ?? "", { status: "ok", result: 1 });
    expect(await result).toBe(1);
  });

  it("is not sent again once acknowledged, and its late answer still counts", async () => {
    const { agent, hub, clock } = await startAgent();
    const result = call(agent);
    await turn();
    await hub.lose();
    await hub.respond((await hub.calls())[0] ?? "", { status: "ok", result: "late" });
    await clock.advance(1000);
    expect(await result).toBe("late");
    expect(hub.frames("message.send")).toHaveLength(1);
  });

  it("handles its answer once when it is delivered twice, and acknowledges it twice", async () => {
    const { agent, hub } = await startAgent();
    const events = eventsOf(agent);
    const result = call(agent);
    await turn();
    const answer = await hub.respond((await hub.calls())[0] ?? "", { status: "ok", result: 1 });
    hub.send(answer);
    expect(await result).toBe(1);
    await turn();
    expect(events).toHaveLength(1);
    expect(hub.frames("message.received")).toHaveLength(2);
  });

  it("is not sent again after its time ran out while the hub was away", async () => {
    const { agent, hub, clock } = await startAgent();
    await hub.lose();
    const failure = call(agent, { timeoutMs: 500 }).catch((error: unknown) => error);
    await clock.advance(500);
    expect(await failure).toMatchObject({ name: "ToolCallError" });
    await clock.advance(1000);
    expect(agent.status).toBe("connected");
    expect(hub.frames("message.send")).toEqual([]);
  });

  it("keeps the order of everything that was not acknowledged", async () => {
    const { agent, hub, clock } = await startAgent();
    hub.acknowledges = false;
    const sent = [agent.send(CONVERSATION, { type: "text", text: "0" })];
    await turn();
    await hub.lose();
    sent.push(agent.send(CONVERSATION, { type: "text", text: "1" }));
    sent.push(agent.send(CONVERSATION, { type: "text", text: "2" }));
    hub.acknowledges = true;
    await clock.advance(1000);
    const acks = await Promise.all(sent);
    expect((await hub.payloads()).map(({ text }) => text)).toEqual(["0", "1", "2"]);
    expect(acks.map(({ conversation_seq }) => conversation_seq)).toEqual([1, 2, 3]);
  });
});

describe("disconnect", () => {
  it("rejects what is pending, keeps no timer, and opens nothing again", async () => {
    const { agent, hub, clock } = await startAgent();
    hub.acknowledges = false;
    const called = call(agent).catch((error: unknown) => error);
    const sent = agent.send(CONVERSATION, { type: "text", text: "" }).catch((e: unknown) => e);
    await turn();
    const statuses: AgentStatus[] = [];
    agent.addStatusHandler((status) => statuses.push(status));
    agent.disconnect();
    agent.disconnect();
    expect(await called).toMatchObject({ name: "ToolCallError", code: "disconnected" });
    expect(await sent).toMatchObject({ name: "AgentError", code: "disconnected" });
    await turn();
    expect(statuses).toEqual(["closed"]);
    expect(hub.socket.isClosed).toBe(true);
    expect(clock.pending).toBe(0);
    await clock.advance(120_000);
    expect(hub.sockets).toHaveLength(1);
  });

  it("makes every later use fail with a code", async () => {
    const { agent } = await startAgent();
    agent.disconnect();
    await expect(call(agent)).rejects.toMatchObject({ code: "disconnected" });
    await expect(agent.send(CONVERSATION, { type: "text", text: "" })).rejects.toMatchObject({
      code: "disconnected",
    });
    expect(() => agent.stream(CONVERSATION)).toThrow(new AgentError("disconnected"));
  });

  it("works from inside a status handler, while reconnecting", async () => {
    const { agent, hub, clock } = await startAgent();
    agent.addStatusHandler((status) => {
      if (status === "reconnecting") agent.disconnect();
    });
    await hub.lose();
    expect(agent.status).toBe("closed");
    expect(clock.pending).toBe(0);
  });
});
