import { expect, it } from "vitest";
import { turn } from "../app/contract/testing/manual-time.ts";
import { CONVERSATION } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

async function startCall(options: { signal?: AbortSignal; timeoutMs?: number } = {}) {
  const parts = await startAgent();
  const call = parts.agent.callTool(CONVERSATION, "read_file", { path: "/x" }, options);
  const failure = call.catch((error: unknown) => error);
  await turn();
  const [callId] = await parts.hub.calls();
  const cancelled = {
    type: "artifact",
    artifact: { subtype: "tool_call_cancel", call_id: callId },
  };
  return { ...parts, failure, callId: callId ?? "", cancelled };
}

it("an aborted call is cancelled at the client", async () => {
  const abort = new AbortController();
  const { hub, failure, cancelled } = await startCall({ signal: abort.signal });
  abort.abort();
  expect(await failure).toMatchObject({ code: "aborted" });
  expect((await hub.payloads()).at(-1)).toEqual(cancelled);
  expect(hub.frames("message.send").at(-1)).toMatchObject({
    conversation_id: CONVERSATION,
    msg_subtype: "artifact_tool_call_cancel",
  });
});

it("a call that timed out is cancelled at the client", async () => {
  const { hub, clock, failure, cancelled } = await startCall({ timeoutMs: 50 });
  await clock.advance(50);
  expect(await failure).toMatchObject({ code: "call_timeout" });
  expect((await hub.payloads()).at(-1)).toEqual(cancelled);
});

it("pending calls are cancelled when the agent disconnects, on the same connection", async () => {
  const { agent, hub, failure, cancelled } = await startCall();
  agent.disconnect();
  expect(await failure).toMatchObject({ code: "disconnected" });
  expect((await hub.payloads()).at(-1)).toEqual(cancelled);
});

it("a call cancelled while the hub is away is cancelled when it is back, and not made again", async () => {
  const abort = new AbortController();
  const { hub, clock, failure, cancelled } = await startCall({ signal: abort.signal });
  await hub.lose();
  abort.abort();
  await failure;
  await clock.advance(1000);
  expect(hub.frames("message.send")).toHaveLength(2);
  expect((await hub.payloads()).at(-1)).toEqual(cancelled);
});

it("an answered call is not cancelled", async () => {
  const { agent, hub, callId } = await startCall();
  await hub.respond(callId, { status: "ok", result: 1 });
  await turn();
  agent.disconnect();
  expect(hub.frames("message.send")).toHaveLength(1);
});
