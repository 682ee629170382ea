import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { PATIENT } from "../testing/test-agent.ts";

connectForEachTest();

const recall = (call_id: string, agent_id = agent.id) =>
  client.call("calls.recall", { agent_id, call_id });

describe("a call's content", () => {
  it("is recalled with its result if it ran, and without one if the person refused it", async () => {
    const [silent, read, denied, invalid] = Array.from({ length: 4 }, () => randomUUID());
    await agent.notify("Hello", silent);
    const shown = { value: { shown: true, folded: false } };
    expect(await recall(silent ?? "")).toEqual({ arguments: { title: "Hello" }, result: shown });
    client.platform.clipboardText = "what the clipboard held";
    await client.answered(agent.call("read_clipboard", {}, read), "allow_once");
    const given = { value: { text: "what the clipboard held" } };
    expect(await recall(read ?? "")).toEqual({ arguments: {}, result: given });
    expect(await recall(read ?? "", "another agent")).toBeNull();

    await client.answered(agent.write("not this", denied), "deny");
    expect(await recall(denied ?? "")).toEqual({ arguments: { text: "not this" }, result: null });
    // Nobody was asked about this one.
    await agent.call("write_clipboard", { text: 7 }, invalid);
    expect(await recall(invalid ?? "")).toBeNull();
  });

  it("is recalled while it runs; another call with its id does not replace it", async () => {
    const id = randomUUID();
    const held = Promise.withResolvers<void>();
    client.platform.hold = held.promise;
    const first = agent.notify("first", id);
    const isRunning = async () => (await client.snapshot()).running.length === 1;
    await eventually(async () => (await isRunning()) || undefined);
    expect(await recall(id)).toEqual({ arguments: { title: "first" }, result: null });
    held.resolve();
    await first;
    const whole = await recall(id);
    expect(whole?.result).not.toBeNull();
    const second = { subtype: "tool_call", call_id: id, arguments: { title: "second" } };
    const scope = { tool_name: "send_notification", permission_scope: "notification:send" };
    expect(await agent.artifact({ ...second, ...scope }, id)).toMatchObject({ status: "error" });
    expect(await recall(id)).toEqual(whole);
  });

  it("names what the log's line is about, for the call it belongs to and as long as it is remembered", async () => {
    const id = randomUUID();
    const lines = async () => (await client.call("activity.page", { limit: 5, call_id: id })).rows;
    const title = { kind: "notify", parts: { text: { text: "Hello" } } };
    await agent.notify("Hello", id);
    expect(await lines()).toMatchObject([{ target: title }]);
    const second = { subtype: "tool_call", call_id: id, arguments: { title: "second" } };
    const scope = { tool_name: "send_notification", permission_scope: "notification:send" };
    await agent.artifact({ ...second, ...scope }, id);
    const [reused, first] = await lines();
    expect([reused?.reason, reused?.target]).toEqual(["call_id_reused", undefined]);
    expect(first).toMatchObject({ target: title });
    await client.restart();
    await client.reconnected();
    expect((await lines()).map(({ target }) => target)).toEqual([undefined, undefined]);
  });

  it("is forgotten with its conversation's history, at the end of the program, and with its agent", async () => {
    const { conversationId: conversation_id } = agent.credentials;
    const [first, second, third] = Array.from({ length: 3 }, () => randomUUID());
    await agent.notify("Hello", first);
    await client.call("conversations.delete_history", { conversation_id });
    expect(await recall(first ?? "")).toBeNull();

    const unwanted = new AbortController();
    const options = { ...PATIENT, callId: second ?? "", signal: unwanted.signal };
    const args = { text: "nobody saw this" };
    const missed = agent.sdk.callTool(conversation_id, "write_clipboard", args, options);
    await client.waitingCard();
    unwanted.abort();
    await expect(missed).rejects.toMatchObject({ code: "aborted" });
    await client.cards(0);
    const { requests } = (await client.snapshot()).missed;
    expect(requests).toMatchObject([{ call_id: second, why: "cancelled" }]);
    expect(await recall(second ?? "")).toEqual({ arguments: args, result: null });
    await client.restart();
    await client.reconnected();
    expect((await client.snapshot()).missed.requests).toEqual(requests);
    expect(await recall(second ?? "")).toBeNull();

    await agent.notify("Hello", third);
    expect(await recall(third ?? "")).not.toBeNull();
    await client.call("agents.remove", { agent_id: agent.id, keep_history: true });
    expect(await recall(third ?? "")).toBeNull();
  });
});
