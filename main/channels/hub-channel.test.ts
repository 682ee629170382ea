import { describe, expect, it } from "vitest";
import { turn } from "../../app/contract/testing/manual-time.ts";
import {
  decodeToolResponse,
  encodeToolCall,
  encodeToolCancel,
  TOOL_CANCEL_SUBTYPE,
} from "../../app/protocol/v1/tool-messages.ts";
import { openPlain, sealPlain } from "./testing/plain-sealing.ts";
import { REAUTH_NOTICE, ScriptedHub } from "./testing/scripted-hub.ts";

const CALL = sealPlain(
  encodeToolCall({
    call_id: "call-1",
    tool_name: "read_file",
    arguments: { path: "/x" },
    permission_scope: "filesystem:read",
  }),
);
const OK = { call_id: "call-1", status: "ok" as const, result: "done" };

let hub: ScriptedHub;
ScriptedHub.forEachTest((begun) => {
  hub = begun;
});

describe("a call that arrives over the hub", () => {
  it("reaches the chain with what the hub says about who sent it", async () => {
    await hub.deliver(1, { encrypted_payload: CALL });
    expect(hub.arrivals).toMatchObject([
      {
        decoded: { kind: "call", call: { call_id: "call-1", arguments: { path: "/x" } } },
        agent_id: "agent",
        conversation_id: "talk",
        conversation_type: "h2a",
      },
    ]);
  });

  it("is acknowledged when the hub has its answer, and not before", async () => {
    hub.answer = async () => OK;
    await hub.deliver(1, { encrypted_payload: CALL });
    const [sent] = hub.frames("message.send");
    expect(sent).toMatchObject({ conversation_id: "talk", msg_subtype: "artifact_response" });
    const opened = openPlain(sent?.encrypted_payload ?? "");
    expect(decodeToolResponse(opened)).toEqual(OK);
    expect(hub.received).toEqual([]);
    const client_message_id = sent?.client_message_id ?? "";
    await hub.tell({
      type: "message.ack",
      client_message_id,
      message_id: "m",
      conversation_id: "talk",
      conversation_seq: 2,
    });
    expect(hub.received).toEqual([1]);
  });

  it("has its prepared answer sent only if the chain gives the same one", async () => {
    const recorded = Promise.withResolvers<void>();
    hub.answer = async ({ answering }) => {
      answering?.(OK);
      await recorded.promise;
      return OK;
    };
    await hub.deliver(1, { encrypted_payload: CALL });
    expect(hub.frames("message.send")).toEqual([]);
    recorded.resolve();
    await turn();
    expect(hub.frames("message.send")).toHaveLength(1);
  });

  it("gets the chain's final answer, whatever was prepared before", async () => {
    const other = { ...OK, result: "withheld" };
    hub.answer = async ({ answering }) => {
      answering?.(other);
      return OK;
    };
    await hub.deliver(1, { encrypted_payload: CALL });
    hub.answer = async ({ answering }) => {
      answering?.(other);
      return null;
    };
    await hub.deliver(2, { encrypted_payload: CALL });
    const opened = hub
      .frames("message.send")
      .map(({ encrypted_payload }) => decodeToolResponse(openPlain(encrypted_payload)));
    expect(opened).toEqual([OK]);
  });

  it("is also acknowledged when the hub will never accept the answer", async () => {
    hub.answer = async () => OK;
    await hub.deliver(1, { encrypted_payload: CALL });
    await hub.tell({
      type: "message.refused",
      client_message_id: hub.frames("message.send")[0]?.client_message_id,
      error: { code: "NOT_A_MEMBER", message: "", i18n_key: "", params: {} },
    });
    expect(hub.received).toEqual([1]);
  });

  it.each([
    ["INTERNAL", CALL],
    ["RECIPIENT_QUEUE_FULL", CALL],
    ["RECIPIENT_QUEUE_FULL", "%%%"],
  ])(
    "is answered again, and not handled again, when the hub could not store the answer: %s",
    async (unstored, encrypted_payload) => {
      hub.answer = async () => ({ ...OK, result: hub.arrivals.length });
      await hub.deliver(1, { encrypted_payload });
      const refuseLast = (code: string) =>
        hub.tell({
          type: "message.refused",
          client_message_id: hub.frames("message.send").at(-1)?.client_message_id,
          error: { code, message: "", i18n_key: "", params: {} },
        });
      await refuseLast(unstored);
      expect(hub.received).toEqual([]);
      hub.time.pass(1_000);
      await turn();
      const [first, second] = hub.frames("message.send");
      expect(second?.encrypted_payload).toBe(first?.encrypted_payload);
      expect(hub.arrivals).toHaveLength(1);
      await refuseLast("NOT_A_MEMBER");
      expect(hub.received).toEqual([1]);
    },
  );

  it("stays at the hub when it is not answered", async () => {
    await hub.deliver(1, { encrypted_payload: CALL });
    await hub.deliver(1, { encrypted_payload: CALL });
    expect(hub.arrivals).toHaveLength(1);
    expect([...hub.frames("message.send"), ...hub.received]).toEqual([]);
  });

  it("is answered again with the same message id when the connection was lost", async () => {
    hub.answer = async () => OK;
    await hub.deliver(1, { encrypted_payload: CALL });
    const [first] = hub.frames("message.send");
    await hub.lose();
    hub.time.pass(1_000);
    await hub.letIn();
    expect(hub.frames("message.send")).toEqual([first, first]);
    await hub.deliver(1, { encrypted_payload: CALL });
    expect(hub.arrivals).toHaveLength(1);
  });

  it("that cannot be opened is passed on as unreadable, under its message's id", async () => {
    await hub.deliver(7, { encrypted_payload: "%%%" });
    expect(hub.arrivals).toMatchObject([
      { decoded: { kind: "malformed", malformed: { call_id: "message-7" } } },
    ]);
  });

  it.each([
    ["a person", { sender_type: "human" }],
    ["an answer", { msg_subtype: "artifact_response" }],
  ])(
    "is none when it is %s or from one: nobody reads that, and it fills no queue",
    async (_, over) => {
      await hub.deliver(1, { encrypted_payload: CALL, ...over });
      expect([hub.arrivals, hub.events]).toEqual([[], ["connected"]]);
      expect(hub.received).toEqual([1]);
    },
  );
});

describe("a message to be read", () => {
  const TEXT = { content_type: "text", msg_subtype: undefined, encrypted_payload: CALL };

  it("is acknowledged once it is stored, and not before", async () => {
    hub.keeps = async () => false;
    await hub.deliver(1, TEXT);
    expect(hub.received).toEqual([]);
    hub.keeps = async () => true;
    await hub.deliver(2, TEXT);
    expect(hub.events).toContain("kept message-2");
    expect(hub.received).toEqual([2]);
  });

  it("is stored by a later retry when it could not be at first, and leaves no timer", async () => {
    hub.keeps = async () => false;
    await hub.deliver(1, TEXT);
    hub.time.pass(1_000);
    await turn();
    expect(hub.received).toEqual([]);
    hub.keeps = async () => true;
    hub.time.pass(5_000);
    await turn();
    expect(hub.received).toEqual([1]);
    hub.keeps = async () => false;
    await hub.deliver(2, TEXT);
    hub.channel.close();
    await hub.deliver(3, TEXT);
    expect(hub.time.pending).toBe(0);
  });
});

describe("what else the hub says", () => {
  const about = { agent_id: "agent", user_id: "person", relation_id: "r", conversation_id: "talk" };
  const standing = { status: "active", connection_mode: "websocket" };
  const relation = { ...about, granted_scopes: [], ...standing };

  it("is passed on, each to the part it concerns", async () => {
    hub.send({ type: "agent.presence", agent_id: "agent", online: true });
    hub.send({ type: "relation.revoked", payload: { ...relation, status: "revoked" } });
    hub.send({ type: "relation.updated", payload: relation });
    hub.send({
      type: "agent.manifest_changed",
      payload: {
        agent_id: "agent",
        capability_manifest_version: 2,
        capability_manifest_hash: "h",
      },
    });
    await hub.tell(REAUTH_NOTICE);
    expect(hub.events).toEqual([
      "connected",
      "agent on",
      "relation.revoked",
      "relation.updated",
      "manifest agent",
      "reauth agent",
    ]);
  });

  it("is ignored if it is unknown, malformed or out of place", async () => {
    hub.send({ type: "from.a.newer.hub", payload: {} });
    hub.send({ type: "relation.revoked", payload: { agent_id: 7 } });
    hub.send([]);
    hub.send({ type: "stream.delta", conversation_id: "talk", stream_id: "s", sender_id: "agent" });
    await turn();
    expect(hub.events).toEqual(["connected"]);
    hub.answer = async () => OK;
    await hub.deliver(1, { encrypted_payload: CALL });
    expect(hub.frames("message.send")).toHaveLength(1);
  });
});

describe("the connection", () => {
  it("is opened with a fresh token each time, even after one was refused", async () => {
    await hub.lose();
    expect(hub.events).toEqual(["connected", "lost"]);
    hub.time.pass(1_000);
    await turn();
    expect(hub.heard.slice(1)).toEqual([{ type: "auth", token: "token-2" }]);
    await hub.tell({ type: "auth.error", reason: "invalid_token", message: "", i18n_key: "" });
    await hub.lose();
    hub.time.pass(2_000);
    await turn();
    expect(hub.heard.slice(2)).toEqual([{ type: "auth", token: "token-3" }]);
  });

  it("reports nothing once it is closed, and leaves no timer", async () => {
    hub.answer = async () => OK;
    hub.channel.close();
    await hub.deliver(1, { encrypted_payload: CALL });
    expect(hub.arrivals).toEqual([]);
    expect(hub.time.pending).toBe(0);
    expect(hub.events).toEqual(["connected", "lost"]);
  });
});

describe("a call that its agent cancels", () => {
  const GIVEN_UP = {
    msg_subtype: TOOL_CANCEL_SUBTYPE,
    encrypted_payload: sealPlain(encodeToolCancel("call-1")),
  };

  it("has the cancellation acknowledged when the call has ended", async () => {
    const ended = Promise.withResolvers<boolean>();
    hub.ends = () => ended.promise;
    await hub.deliver(1, GIVEN_UP);
    expect(hub.events).toContain("agent gave up call-1");
    expect(hub.received).toEqual([]);
    ended.resolve(true);
    await turn();
    expect(hub.received).toEqual([1]);
  });

  it("stays at the hub when the call was put off: both are delivered again", async () => {
    hub.ends = async () => false;
    await hub.deliver(1, GIVEN_UP);
    expect(hub.received).toEqual([]);
  });

  it("is ignored when the cancellation cannot be read, or a person sent it", async () => {
    await hub.deliver(1, { ...GIVEN_UP, encrypted_payload: CALL });
    expect(hub.received).toEqual([1]);
    await hub.deliver(2, { ...GIVEN_UP, sender_type: "human" });
    expect([hub.received, hub.events, hub.arrivals]).toEqual([[1, 2], ["connected"], []]);
  });
});
