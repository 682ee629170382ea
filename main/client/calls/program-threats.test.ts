import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { CONSENT_WINDOW_CALLS } from "../../../app/bridge/calls.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { ALL_SCOPES } from "../testing/test-manifest.ts";

connectForEachTest();

const newMarker = () => `marker-${randomBytes(12).toString("hex")}`;

describe("before the person has decided", () => {
  it("no tool has touched anything, whatever was sent over the hub", async () => {
    const calls = [
      agent.write(),
      agent.call("read_clipboard"),
      agent.write("another"),
      agent.write("one too many"),
      agent.call("read_file", { path: "/etc/hostname", extra: true }),
      agent.call("write_clipboard", { text: 7 }),
    ];
    const cards = await client.cards(3);
    expect(await Promise.all(calls.slice(3))).toEqual([
      { refused: "consent_queue_full" },
      { refused: "schema_violation" },
      { refused: "schema_violation" },
    ]);
    expect(client.platform.sideEffects).toBe(0);
    const answers = cards.map(({ request_id }) => ({ request_id, answer: "deny" as const }));
    await client.call("consent.answer_group", { answers });
    await Promise.all(calls);
    expect(client.platform.sideEffects).toBe(0);
  });
});

describe("a call's arguments and result", () => {
  it("are nowhere in plain text when the program has ended", async () => {
    const [approved, denied, refused, malformed, read] = Array.from({ length: 5 }, newMarker);
    await client.answered(agent.write(approved), "allow_once");
    await client.answered(agent.write(denied), "deny");
    await agent.call("write_clipboard", { text: 7, [refused ?? ""]: true });
    await agent.artifact({ subtype: "tool_call", call_id: "m", tool_name: malformed ?? "" }, "m");
    client.platform.clipboardText = read ?? "";
    const outcome = await client.answered(agent.call("read_clipboard"), "allow_once");
    expect(outcome).toEqual({ result: { text: read } });
    await agent.notify();
    await client.close();
    for (const marker of [approved, denied, refused, read]) {
      expect(filesContaining(client.dataDir, marker ?? "")).toEqual([]);
      expect([...client.stderr, ...client.stdout].join("\n")).not.toContain(marker);
    }
    expect(client.stderr.join("\n")).not.toContain(malformed);
  });
});

describe("a payload that is not a call", () => {
  it("is answered under its message's id and logged", async () => {
    const { conversationId } = agent.credentials;
    const answered = agent.answerTo(({ payload }) => payload.reason === "malformed_call");
    const sent = await agent.sdk.sendArtifact(conversationId, {
      artifact: { subtype: "tool_call", call_id: 7, tool_name: ["no"] },
    });
    expect(await answered).toMatchObject({
      call_id: sent.message_id,
      error_code: "TOOL_INVALID_ARGUMENTS",
    });
    expect(await client.log()).toMatchObject([
      { call_id: sent.message_id, status: "error", reason: "malformed_call" },
    ]);
  });
});

describe("a log that cannot be written", () => {
  it("lets nothing run, and the program keeps running", async () => {
    client.sql(`CREATE TRIGGER no_room BEFORE INSERT ON audit_log
                BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    expect(await agent.notify()).toEqual({ refused: "audit_unavailable" });
    const outcome = await client.answered(agent.write(), "allow_once");
    expect(outcome).toEqual({ refused: "audit_unavailable" });
    expect(client.platform.sideEffects).toBe(0);
    client.sql("DROP TRIGGER no_room");
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });
});

describe("forged messages", () => {
  it("an agent that speaks as the hub, or as the person, changes nothing", async () => {
    const other = await client.addAgent([], "Other");
    const before = await client.snapshot();
    const socket = new WebSocket(
      `${client.hubUrl.replace("http", "ws")}/ws/agent?agent_id=${other.id}`,
    );
    const heard: { type: string; error?: { code: string } }[] = [];
    socket.on("message", (text) => heard.push(JSON.parse(String(text))));
    await new Promise((resolve) => socket.once("open", resolve));
    const say = (frame: object) => socket.send(JSON.stringify(frame));
    say({ type: "auth", agent_id: other.id, token: other.credentials.token });
    const { conversationId } = agent.credentials;
    const payload = { agent_id: agent.id, conversation_id: conversationId };
    say({
      type: "h2a.reauth_required",
      payload: { ...payload, scopes_requiring_reauth: ALL_SCOPES },
    });
    say({ type: "relation.revoked", payload });
    say({ type: "pairing.requested", payload });
    say({ type: "agent.manifest_changed", payload });
    for (const msg_subtype of ["artifact_tool_call", "artifact_response"]) {
      say({
        type: "message.send",
        client_message_id: `forged-${msg_subtype}`,
        conversation_id: conversationId,
        content_type: "artifact",
        msg_subtype,
        encrypted_payload: "e30",
      });
    }
    await eventually(
      async () => heard.filter(({ type }) => type === "message.refused").length === 2 || undefined,
    );
    expect(heard.filter(({ type }) => type === "frame.error")).toHaveLength(4);
    expect(heard.flatMap(({ error }) => error?.code ?? [])).toContain("NOT_A_MEMBER");
    const after = await client.snapshot();
    expect(after.agents.map(({ grants }) => grants)).toEqual(
      before.agents.map(({ grants }) => grants),
    );
    expect(after.pairings).toEqual([]);
    expect(after.consents).toEqual([]);
    expect(await client.log()).toEqual([]);
    socket.terminate();
  });

  it("a foreign renderer, or one that asks for more than its window may, is refused", async () => {
    const { program } = client;
    const name = "permissions.revoke_all";
    const ask = (over: object) =>
      program.answer({ name, args: {}, senderAllowed: true, allowed: [name], ...over });
    expect(await ask({ senderAllowed: false })).toEqual({ ok: false, code: "foreign_sender" });
    expect(await ask({ allowed: CONSENT_WINDOW_CALLS })).toEqual({
      ok: false,
      code: "unknown_call",
    });
    for (const forged of ["__proto__", "constructor", "toString", 7, null]) {
      expect(await ask({ name: forged, allowed: [forged] })).toEqual({
        ok: false,
        code: "unknown_call",
      });
    }
    const args = JSON.parse('{"__proto__": {"agent_id": "x"}}');
    expect(await ask({ args })).toEqual({ ok: false, code: "invalid_arguments" });
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });

  it("a page's answer where no page serves the host is answered not_found", async () => {
    const forged = client.call("page.answer", { request_id: "x", ok: true, text: "forged" });
    await expect(forged).rejects.toThrow("not_found");
  });
});
