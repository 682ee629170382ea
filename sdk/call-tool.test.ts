import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { DENIED_REASONS, ERROR_CODES, ERROR_REASONS } from "../app/contract/codes.ts";
import { turn } from "../app/contract/testing/manual-time.ts";
import { ToolCallError } from "./errors.ts";
import { CONVERSATION } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

const ARGUMENTS = { path: "/notes.md" };

async function startCall(options = {}) {
  const parts = await startAgent();
  const result = parts.agent.callTool(CONVERSATION, "read_file", ARGUMENTS, options);
  const failure = result.then(
    () => undefined,
    (error: unknown) => error,
  );
  await turn();
  return { ...parts, result, failure, callId: (await parts.hub.calls())[0] ?? "" };
}

describe("callTool", () => {
  it("sends one flat tool call that names the scope of the manifest", async () => {
    const { hub, callId } = await startCall({ toolTimeoutMs: 5000 });
    expect(hub.frames("message.send")).toHaveLength(1);
    expect(hub.frames("message.send")[0]).toMatchObject({
      conversation_id: CONVERSATION,
      content_type: "artifact",
      msg_subtype: "artifact_tool_call",
    });
    expect(await hub.payloads()).toEqual([
      {
        type: "artifact",
        artifact: {
          subtype: "tool_call",
          call_id: callId,
          tool_name: "read_file",
          arguments: ARGUMENTS,
          permission_scope: "filesystem:read",
          timeout_ms: 5000,
        },
      },
    ]);
    expect(callId).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it("resolves with the result of the answer that carries its call id", async () => {
    const { hub, agent, result, callId } = await startCall();
    const second = agent.callTool(CONVERSATION, "read_file", ARGUMENTS);
    await turn();
    await hub.respond((await hub.calls())[1] ?? "", { status: "ok", result: "second" });
    await hub.respond(callId, { status: "ok", result: { content: "first" } });
    expect(await result).toEqual({ content: "first" });
    expect(await second).toBe("second");
  });

  it.each(DENIED_REASONS)("rejects as denied for %s", async (reason) => {
    const { hub, failure, callId } = await startCall();
    await hub.respond(callId, { status: "denied", reason });
    const error = await failure;
    expect(error).toBeInstanceOf(ToolCallError);
    expect(error).toMatchObject({
      failure: { kind: "denied", reason },
      callId,
      toolName: "read_file",
    });
  });

  const failures = ERROR_CODES.flatMap((code) =>
    ERROR_REASONS[code].map((reason) => [code, reason] as const),
  );
  it.each(failures)("rejects as failed for %s / %s", async (error_code, reason) => {
    const { hub, failure, callId } = await startCall();
    await hub.respond(callId, { status: "error", error_code, reason });
    const error = await failure;
    expect(error).toBeInstanceOf(ToolCallError);
    const failed = { kind: "failed", code: error_code, reason };
    expect(error).toMatchObject({ failure: failed, callId, toolName: "read_file" });
  });

  it("says where the arguments are wrong", async () => {
    const { hub, failure, callId } = await startCall();
    const violation = { pointer: "/edits/0/old_text", keyword: "minLength" };
    const refusal = { error_code: "TOOL_INVALID_ARGUMENTS", reason: "schema_violation" };
    await hub.respond(callId, { status: "error", ...refusal, violation });
    expect(await failure).toMatchObject({
      failure: { violation },
      message: "TOOL_INVALID_ARGUMENTS: schema_violation at /edits/0/old_text (minLength)",
    });
  });

  it("says what the person told the agent with a denial", async () => {
    const { hub, failure, callId } = await startCall();
    const message = "Read summary.md instead";
    await hub.respond(callId, { status: "denied", reason: "user_refused", message });
    expect(await failure).toMatchObject({ failure: { reason: "user_refused", told: message } });
  });

  it("reads the older spelling user_rejected as user_refused", async () => {
    const { hub, failure, callId } = await startCall();
    await hub.respond(callId, { status: "denied", reason: "user_rejected" });
    expect(await failure).toMatchObject({ failure: { reason: "user_refused" } });
  });

  it("rejects at once when the answer is not a row of the table", async () => {
    const { hub, failure, callId } = await startCall();
    await hub.respond(callId, { status: "denied", reason: "because" });
    expect(await failure).toMatchObject({ failure: { kind: "unreadable" } });
  });

  it("rejects as timed out when the total time is over, by default 30 s", async () => {
    const { clock, failure, callId } = await startCall();
    let ended = false;
    void failure.then(() => {
      ended = true;
    });
    await clock.advance(29_999);
    expect(ended).toBe(false);
    await clock.advance(1);
    const error = await failure;
    expect(error).toBeInstanceOf(ToolCallError);
    expect(error).toMatchObject({
      ...{ failure: { kind: "timeout", timeoutMs: 30_000 }, callId, toolName: "read_file" },
    });
  });

  it("ignores an answer that comes after the total time", async () => {
    const { agent, hub, clock, failure, callId } = await startCall({ timeoutMs: 5 });
    await clock.advance(5);
    await hub.respond(callId, { status: "ok", result: 1 });
    expect(await failure).toMatchObject({ failure: { kind: "timeout" } });
    expect(agent.status).toBe("connected");
  });

  it("rejects as aborted when its signal is aborted", async () => {
    const abort = new AbortController();
    const { failure, callId } = await startCall({ signal: abort.signal });
    abort.abort();
    const error = await failure;
    expect(error).toBeInstanceOf(ToolCallError);
    expect(error).toMatchObject({ failure: { kind: "aborted", code: "aborted" }, callId });
  });

  it("sends nothing when its signal is aborted already", async () => {
    const { hub, failure } = await startCall({ signal: AbortSignal.abort() });
    expect(await failure).toMatchObject({ failure: { kind: "aborted" } });
    expect(hub.frames("message.send")).toEqual([]);
  });

  it.each(["NOT_A_MEMBER", "RECIPIENT_QUEUE_FULL"])(
    "rejects as unsent with %s when the hub refuses the message so",
    async (code) => {
      const { agent, hub } = await startAgent();
      hub.refusesWith = code;
      const error = await agent
        .callTool(CONVERSATION, "read_file", { path: "/a" })
        .catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ToolCallError);
      expect(error).toMatchObject({ failure: { kind: "unsent", code, params: { after: 7 } } });
    },
  );

  it("sends nothing for a tool the manifest does not declare", async () => {
    const { agent, hub } = await startAgent();
    const error = await agent.callTool(CONVERSATION, "launch_rocket", {}).catch((e: unknown) => e);
    const message = "tool_not_declared: not in the manifest: launch_rocket";
    expect(error).toMatchObject({ code: "tool_not_declared", toolName: "launch_rocket", message });
    expect(hub.frames("message.send")).toEqual([]);
  });

  it("refuses a call id that is waiting already, and leaves the first call alone", async () => {
    const { agent, hub, result } = await startCall({ callId: "mine" });
    const second = agent.callTool(CONVERSATION, "read_file", ARGUMENTS, { callId: "mine" });
    await expect(second).rejects.toMatchObject({ code: "call_id_pending" });
    await hub.respond("mine", { status: "ok", result: 1 });
    expect(await result).toBe(1);
  });

  it("sends a finished call id again as a new message", async () => {
    const { agent, hub, result } = await startCall({ callId: "mine" });
    await hub.respond("mine", { status: "ok", result: 1 });
    await result;
    const again = agent.callTool(CONVERSATION, "read_file", ARGUMENTS, { callId: "mine" });
    await turn();
    expect(await hub.calls()).toEqual(["mine", "mine"]);
    await hub.respond("mine", { status: "ok", result: 1 });
    expect(await again).toBe(1);
  });

  it.each([
    ["of another conversation", { conversation_id: "conversation-2" }],
    ["of another agent", { sender_type: "agent" as const, sender_id: "agent-2" }],
  ])("takes no answer %s", async (_, over) => {
    const { hub, result, callId } = await startCall();
    await hub.respond(callId, { status: "ok", result: "forged" }, over);
    await hub.respond(callId, { status: "ok", result: "true" });
    expect(await result).toBe("true");
  });

  it("refuses arguments that are not JSON without quoting them", async () => {
    const { agent } = await startAgent();
    const args = { secret: 1n } as never;
    const error = await agent.callTool(CONVERSATION, "read_file", args).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ToolCallError);
    expect(error).toMatchObject({ code: "not_json", message: "not_json" });
  });

  it("leaves no timer or listener behind when it has ended", async () => {
    const { signal } = new AbortController();
    const { hub, clock, result, callId } = await startCall({ signal });
    const duringCall = clock.pending;
    await hub.respond(callId, { status: "ok", result: null });
    expect(await result).toBe(null);
    expect(clock.pending).toBe(duringCall - 1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
