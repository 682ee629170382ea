import { describe, expect, it } from "vitest";
import { turn } from "../app/contract/testing/manual-time.ts";
import type { InboundMessage } from "./events.ts";
import { CONVERSATION, USER_ID } from "./testing/fake-hub.ts";
import { eventsOf, startAgent } from "./testing/start-agent.ts";

const text = (words: string) => ({ type: "text", text: words });

describe("message handlers", () => {
  it("get the opened message, and the hub hears that it was received", async () => {
    const { agent, hub } = await startAgent();
    const messages: InboundMessage[] = [];
    agent.addMessageHandler((message) => messages.push(message));
    await hub.say(text("hello"));
    expect(messages).toEqual([
      {
        message_id: "message-1",
        conversation_id: CONVERSATION,
        conversation_seq: 1,
        conversation_type: "h2a",
        sender_id: USER_ID,
        sender_type: "human",
        content_type: "text",
        payload: text("hello"),
        created_at: "2026-01-01T00:00:00.000Z",
      },
    ]);
    expect(hub.frames("message.received")).toEqual([
      { type: "message.received", conversation_id: CONVERSATION, conversation_seq: 1 },
    ]);
  });

  it("are called in order, and one that throws or rejects stops no other", async () => {
    const errors: unknown[] = [];
    const { agent, hub } = await startAgent({ onHandlerError: (error) => errors.push(error) });
    const called: number[] = [];
    agent.addMessageHandler(() => {
      called.push(1);
      throw new Error("thrown");
    });
    agent.addMessageHandler(async () => {
      called.push(2);
      throw new Error("rejected");
    });
    agent.addMessageHandler(() => called.push(3));
    await hub.say(text("hello"));
    await turn();
    expect(called).toEqual([1, 2, 3]);
    expect(errors).toEqual([new Error("thrown"), new Error("rejected")]);
    expect(hub.frames("message.received")).toHaveLength(1);
  });

  it("are no longer called once their signal aborted", async () => {
    const { agent, hub } = await startAgent();
    const abort = new AbortController();
    const called: string[] = [];
    agent.addMessageHandler(() => called.push("kept"));
    agent.addMessageHandler(() => called.push("dropped"), abort.signal);
    abort.abort();
    await hub.say(text("hello"));
    expect(called).toEqual(["kept"]);
  });

  it("delay the receipt until their promises have settled", async () => {
    const { agent, hub } = await startAgent();
    let finish = () => {};
    agent.addMessageHandler(() => new Promise<void>((resolve) => (finish = resolve)));
    await hub.say(text("slow"));
    await turn();
    expect(hub.frames("message.received")).toEqual([]);
    finish();
    await turn();
    expect(hub.frames("message.received")).toHaveLength(1);
  });

  it("may wait for a tool's answer without blocking it", async () => {
    const { agent, hub } = await startAgent();
    const results: unknown[] = [];
    agent.addMessageHandler(async ({ conversation_id }) => {
      results.push(await agent.callTool(conversation_id, "read_file", { path: "/a" }));
    });
    await hub.say(text("read it"));
    await turn();
    await hub.respond((await hub.calls())[0] ?? "", { status: "ok", result: "contents" });
    await turn();
    expect(results).toEqual(["contents"]);
  });

  it("get a message once, however often the hub delivers it", async () => {
    const { agent, hub, clock } = await startAgent();
    const seen: unknown[] = [];
    let finish = () => {};
    agent.addMessageHandler(({ payload }) => {
      seen.push(payload.text);
      return new Promise<void>((resolve) => (finish = resolve));
    });
    const frame = await hub.say(text("once"));
    await hub.lose();
    await clock.advance(1000);
    // Still at work: the second copy is neither delivered nor acknowledged.
    expect(hub.frames("message.received")).toEqual([]);
    finish();
    await turn();
    expect(hub.frames("message.received")).toHaveLength(1);
    // Handled: a copy that crossed the receipt is acknowledged but not delivered.
    hub.send(frame);
    await turn();
    expect(hub.frames("message.received")).toHaveLength(2);
    expect(seen).toEqual(["once"]);
  });

  it("get what arrived before the first was added, in order", async () => {
    const { agent, hub } = await startAgent();
    await hub.say(text("1"));
    await hub.say(text("2"));
    expect(hub.frames("message.received")).toEqual([]);
    const seen: unknown[] = [];
    agent.addMessageHandler(({ payload }) => seen.push(payload.text));
    await hub.say(text("3"));
    await turn();
    expect(seen).toEqual(["1", "2", "3"]);
    expect(hub.frames("message.received")).toHaveLength(3);
  });
});

describe("event handlers", () => {
  it("get a tool response in both published shapes at once", async () => {
    const { agent, hub } = await startAgent();
    const events = eventsOf(agent);
    await hub.respond("call-1", {
      status: "error",
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "io_error",
    });
    const fields = {
      call_id: "call-1",
      status: "error",
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "io_error",
    };
    expect(events).toEqual([
      {
        type: "artifact_response",
        payload: {
          conversation_id: CONVERSATION,
          ref_artifact: "call-1",
          ref_artifact_subtype: "tool_response",
          ...fields,
        },
        artifact: { subtype: "tool_response", ...fields },
      },
    ]);
  });

  it("serve a program that keeps its own pending map over the nested form", async () => {
    const { agent, hub } = await startAgent();
    const answers = new Map<string, unknown>();
    agent.addEventHandler(async (event) => {
      if (event.type !== "artifact_response") return;
      if (event.payload.ref_artifact_subtype !== "tool_response") return;
      if (event.artifact?.subtype !== "tool_response") return;
      const { call_id, status, result, reason } = event.payload;
      answers.set(call_id, { status, result, reason });
    });
    const payload = {
      call_id: "own-1",
      tool_name: "fetch_url",
      arguments: { url: "https://example.com", method: "GET" },
      permission_scope: "network:http",
      timeout_ms: 10_000,
    };
    const artifact = { artifact_id: "own-1", subtype: "tool_call", payload };
    const sent = await agent.sendArtifact(CONVERSATION, { artifact });
    expect(sent).toEqual({ message_id: "message-1", conversation_seq: 1 });
    expect(await hub.payloads()).toEqual([{ type: "artifact", artifact }]);
    expect(hub.frames("message.send")[0]?.msg_subtype).toBe("artifact_tool_call");
    await hub.respond("own-1", { status: "denied", reason: "user_rejected" });
    expect(answers.get("own-1")).toEqual({ status: "denied", reason: "user_refused" });
  });

  it("get what the hub stored for the agent, even when they are added after it arrived", async () => {
    const { agent, hub } = await startAgent();
    const payload = {
      notice_id: "1",
      agent_id: "a",
      new_manifest_version: 2,
      new_manifest_hash: "",
      scopes_requiring_reauth: ["filesystem:read"],
      breaking_changes: [],
    };
    hub.send({ type: "h2a.reauth_required", payload });
    const events = eventsOf(agent);
    await turn();
    expect(events).toEqual([{ type: "h2a.reauth_required", payload }]);
    // Only the person's client sends a receipt.
    expect(hub.frames("notice.received")).toEqual([]);
  });

  it("are not needed for a tool response to be received", async () => {
    const { hub } = await startAgent();
    await hub.respond("call-of-an-earlier-run", { status: "ok", result: 1 });
    expect(hub.frames("message.received")).toHaveLength(1);
  });

  it("get what the hub says about the relation, and about frames it could not read", async () => {
    const { agent, hub } = await startAgent();
    const events = eventsOf(agent);
    const payload = {
      relation_id: "r",
      agent_id: "a",
      user_id: "u",
      conversation_id: CONVERSATION,
      granted_scopes: ["filesystem:read"],
      status: "active" as const,
      connection_mode: "websocket" as const,
    };
    hub.send({ type: "relation.updated", payload });
    const error = { code: "unknown_frame", message: "", i18n_key: "", params: {} };
    hub.send({ type: "frame.error", error });
    await turn();
    // The relation has the agent look for the person's keys, which there are none of here.
    expect(events.filter(({ type }) => !type.startsWith("encryption."))).toEqual([
      { type: "relation.updated", payload },
      { type: "frame.error", payload: error },
    ]);
  });

  it.each([
    ["envelope_unreadable", "!!!", "malformed"],
    ["malformed_json", undefined, null],
  ])(
    "hear of a message that is %s, which is not delivered again",
    async (code, sealed, refusal) => {
      const { agent, hub } = await startAgent();
      const events = eventsOf(agent);
      await hub.say('{"a":1,"a":2}', sealed === undefined ? {} : { encrypted_payload: sealed });
      expect(events).toMatchObject([{ type: "message.unreadable", payload: { code, refusal } }]);
      expect(hub.frames("message.received")).toHaveLength(1);
    },
  );
});

describe("send", () => {
  it("resolves with the message's place at the hub", async () => {
    const { agent, hub } = await startAgent();
    const content = { type: "text", text: "**hi**", markdown: true } as const;
    const sent = await agent.send(CONVERSATION, content);
    expect(sent).toEqual({ message_id: "message-1", conversation_seq: 1 });
    expect(await hub.payloads()).toEqual([content]);
  });

  it.each(["NOT_A_MEMBER", "RECIPIENT_QUEUE_FULL"])("rejects with the hub's %s", async (code) => {
    const { agent, hub } = await startAgent();
    hub.refusesWith = code;
    await expect(agent.send(CONVERSATION, { type: "text", text: "" })).rejects.toMatchObject({
      name: "AgentError",
      code,
    });
  });

  it("to a conversation that the agent is not in says so, and asks the hub each time", async () => {
    const { agent, hub } = await startAgent();
    const notMember = { code: "NOT_A_MEMBER" };
    const text = { type: "text", text: "" } as const;
    await expect(agent.send("elsewhere", text)).rejects.toMatchObject(notMember);
    const call = agent.callTool("elsewhere", "read_file", { path: "/a" });
    await expect(call).rejects.toMatchObject({ name: "ToolCallError", ...notMember });
    await expect(agent.stream("elsewhere").done("")).rejects.toMatchObject(notMember);
    const asked = hub.rest.requests.filter(({ path }) => path === "/conversations/elsewhere");
    expect(asked.length).toBeGreaterThan(2);
    expect(hub.frames("message.send")).toEqual([]);
  });

  it("refuses what is too large for the hub to name in its refusal", async () => {
    const { agent, hub } = await startAgent();
    const long = { type: "text", text: "x".repeat(1_500_000) } as const;
    await expect(agent.send(CONVERSATION, long)).rejects.toMatchObject({
      code: "payload_too_large",
    });
    await expect(agent.send("", { type: "text", text: "" })).rejects.toMatchObject({
      code: "conversation_id_invalid",
    });
    expect(hub.frames("message.send")).toEqual([]);
  });
});
