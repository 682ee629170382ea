import { describe, expect, it } from "vitest";
import { turn } from "../app/contract/testing/manual-time.ts";
import { AgentError } from "./errors.ts";
import { CONVERSATION, type FakeHub } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

const streamTypes = ["stream.start", "stream.delta", "stream.done", "stream.abort"];

const streamFrames = (hub: FakeHub) =>
  hub.heard.filter((frame) => streamTypes.includes(frame.type)).map(({ type }) => type);

describe("stream", () => {
  it("shows each part, ends, and stores the whole text as an ordinary message", async () => {
    const { agent, hub } = await startAgent();
    const stream = agent.stream(CONVERSATION);
    stream.delta("Hel");
    stream.delta("lo");
    const sent = await stream.done("Hello");
    expect(streamFrames(hub)).toEqual([
      "stream.start",
      "stream.delta",
      "stream.delta",
      "stream.done",
    ]);
    expect(await hub.shown()).toEqual(["Hel", "lo"]);
    expect(new Set(hub.frames("stream.delta").map(({ stream_id }) => stream_id)).size).toBe(1);
    expect(await hub.payloads()).toEqual([{ type: "text", text: "Hello" }]);
    expect(sent.conversation_seq).toBe(1);
  });

  it("removes everything shown when aborted, and stores nothing", async () => {
    const { agent, hub } = await startAgent();
    const stream = agent.stream(CONVERSATION);
    stream.delta("Hel");
    stream.abort();
    stream.abort();
    await turn();
    expect(streamFrames(hub)).toEqual(["stream.start", "stream.delta", "stream.abort"]);
    expect(await hub.payloads()).toEqual([]);
  });

  it("cannot continue after its end", async () => {
    const { agent } = await startAgent();
    const stream = agent.stream(CONVERSATION);
    stream.abort();
    expect(() => stream.delta("more")).toThrow(new AgentError("stream_ended"));
    await expect(stream.done("all")).rejects.toMatchObject({ code: "stream_ended" });
  });

  it("loses only shown parts while the hub is away, never the whole text", async () => {
    const { agent, hub, clock } = await startAgent();
    const stream = agent.stream(CONVERSATION);
    await turn();
    await hub.lose();
    stream.delta("unseen");
    const sent = stream.done("whole");
    await clock.advance(1000);
    await sent;
    expect(streamFrames(hub)).toEqual(["stream.start"]);
    expect(await hub.payloads()).toEqual([{ type: "text", text: "whole" }]);
  });

  it("that the hub ended shows nothing more, and the whole text can still be sent", async () => {
    const { agent, hub } = await startAgent();
    const events: unknown[] = [];
    agent.addEventHandler(({ type, payload }) => events.push([type, payload]));
    const stream = agent.stream(CONVERSATION);
    await turn();
    const stream_id = hub.frames("stream.start")[0]?.stream_id ?? "";
    const about = { conversation_id: CONVERSATION, stream_id, sender_id: agent.agentId };
    hub.send({ type: "stream.error", ...about, code: "orphaned" });
    await turn();
    expect(() => stream.delta("more")).toThrow(new AgentError("stream_ended"));
    expect(events).toEqual([["stream.error", { ...about, code: "orphaned" }]]);
    await stream.done("all");
    expect(await hub.payloads()).toEqual([{ type: "text", text: "all" }]);
  });
});
