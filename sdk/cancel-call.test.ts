import { expect, it } from "vitest";
import { turn } from "../app/contract/testing/manual-time.ts";
import { RATCHET_RULES } from "../app/encryption/ratchet/ratchet-state.ts";
import { SESSION_SIGN } from "./encryption/keyed-mail.ts";
import type { KeyStore } from "./options.ts";
import { CONVERSATION, FakeHub } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

async function startCall(
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
  ...start: Parameters<typeof startAgent>
) {
  const parts = await startAgent(...start);
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

it("a call that ends while it is sealed again is cancelled: its first copy may have arrived", async () => {
  const hub = new FakeHub();
  const abort = new AbortController();
  let isAgain = false;
  const keyStore: KeyStore = {
    load: () => hub.keyStore.load(),
    save(changes) {
      if (isAgain && changes.has(`sent ${CONVERSATION}`)) abort.abort();
      return hub.keyStore.save(changes);
    },
  };
  const { agent, failure, cancelled } = await startCall(
    { signal: abort.signal },
    { keyStore },
    hub,
  );
  // Sealing the next message is then stored first.
  for (let sent = 1; sent < RATCHET_RULES.setAside; sent += 1) {
    await agent.send(CONVERSATION, { type: "text", text: "hello" });
  }
  isAgain = true;
  await hub.say({ type: "artifact", artifact: { subtype: "encryption_session" } }, SESSION_SIGN);
  expect(await failure).toMatchObject({ code: "aborted" });
  expect((await hub.payloads()).at(-1)).toEqual(cancelled);
});

it("an answered call is not cancelled", async () => {
  const { agent, hub, callId } = await startCall();
  await hub.respond(callId, { status: "ok", result: 1 });
  await turn();
  agent.disconnect();
  expect(hub.frames("message.send")).toHaveLength(1);
});
