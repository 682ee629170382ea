import { describe, expect, it, vi } from "vitest";
import { fromBase64 } from "../../app/contract/base64.ts";
import { MemoryRecords } from "../../app/encryption/testing/correspondents.ts";
import { ofEachTest } from "../../hub/testing/of-each-test.ts";
import { type AgentEvent, HasheeAgent } from "../index.ts";
import { LivedInHub } from "../testing/lived-in-hub.ts";
import type { Decision } from "../testing/scripted-person.ts";
import { eventsOf, MANIFEST } from "../testing/start-agent.ts";

const hub = ofEachTest(new LivedInHub());
const OK: Decision = { status: "ok", result: { content: "hello" } };
const LONG = { timeoutMs: 60_000 };

async function paired(decide: () => Decision | null = () => OK) {
  const person = await hub.arrived(decide);
  const { agent, credentials, keyStore } = await hub.pair();
  const events = eventsOf(agent);
  const start = async () => {
    const { agentId, token } = credentials;
    const options = { baseUrl: hub.url, keyStore, manifest: MANIFEST };
    const next = await HasheeAgent.init({ ...options, agentId, token });
    hub.closing(() => next.disconnect());
    return next;
  };
  const call = (by = agent) =>
    by.callTool(credentials.conversationId, "read_file", { path: "/a" }, LONG);
  return { person, agent, credentials, events, start, call };
}

const until = <T>(read: () => T | undefined): Promise<T> =>
  vi.waitFor(() => read() ?? Promise.reject(new Error("not yet")), { timeout: 15_000 });

describe("an agent with keys, on the real hub", () => {
  it("calls, is answered and writes, and the hub can read nothing", async () => {
    const { person, agent, credentials, call } = await paired();
    expect(await call()).toEqual({ content: "hello" });
    await agent.send(credentials.conversationId, { type: "text", text: "a secret" });
    expect(await until(() => person.texts[0])).toBe("a secret");
    for (const wire of person.wires) {
      const bytes = fromBase64(wire) ?? new Uint8Array(0);
      expect(bytes[0]).toBe(1);
      expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/secret|read_file/);
    }
  });

  it.each([
    ["websocket", 1_420_000],
    ["webhook", 190_000],
  ] as const)(
    "misses nothing after a message that a %s agent may not send",
    async (connectionMode, most) => {
      const person = await hub.arrived();
      const { agent, credentials } = await hub.pair({ connectionMode });
      const send = (length: number) =>
        agent.send(credentials.conversationId, { type: "text", text: "x".repeat(length) });
      await expect(send(most + 10_000)).rejects.toMatchObject({ code: "payload_too_large" });
      await send(most);
      expect((await until(() => person.texts[0])).length).toBe(most);
      expect(person.keys.missed).toBe(0);
    },
  );

  it("uses the same keys after a restart", async () => {
    const { person, agent, credentials, start, call } = await paired();
    await call();
    const before = await agent.safetyNumber(credentials.userId);
    agent.disconnect();
    const again = await start();
    expect(await call(again)).toEqual({ content: "hello" });
    expect(await again.safetyNumber(credentials.userId)).toEqual(before);
    expect(await person.keys.mail.safetyNumber(again.agentId)).toEqual(before);
  });

  it("sends a pending call again when the person had lost the session", async () => {
    let answers: Decision | null = OK;
    const { person, call } = await paired(() => answers);
    await call();
    person.keys.records.forget("sessions");
    await person.arrive();
    expect(await call()).toEqual({ content: "hello" });
    expect(person.refused).toEqual(["no_session"]);
    answers = null;
  });

  it("holds messages of a person whose key changed until the new key is accepted", async () => {
    const { person, agent, credentials, events, call } = await paired();
    await call();
    person.keys.identity = undefined;
    person.keys.records = new MemoryRecords();
    await person.arrive();
    const told = await until(() => events.find(({ type }) => type === "encryption.key_changed"));
    expect(told).toMatchObject({ payload: { user_id: credentials.userId, was_verified: false } });
    await expect(
      agent.send(credentials.conversationId, { type: "text", text: "x" }),
    ).rejects.toMatchObject({ code: "key_changed" });
    const { digits } = await agent.safetyNumber(credentials.userId);
    await expect(agent.acceptKey(credentials.userId, "wrong")).rejects.toMatchObject({
      code: "keys_unknown",
    });
    await agent.acceptKey(credentials.userId, digits);
  });

  it("gets what waited once the person uses the known key again", async () => {
    const { person, agent, credentials, events, call } = await paired();
    await call();
    const { identity, records } = person.keys;
    person.keys.identity = undefined;
    person.keys.records = new MemoryRecords();
    await person.arrive();
    await until(() => events.find(({ type }) => type === "encryption.key_changed"));
    person.keys.identity = identity;
    person.keys.records = records;
    await person.arrive();
    const back = await until(() =>
      events.find(({ type }) => type === "encryption.key_changed_back"),
    );
    expect(back).toMatchObject({ payload: { user_id: credentials.userId } });
    expect(await call()).toEqual({ content: "hello" });
    await agent.send(credentials.conversationId, { type: "text", text: "as before" });
    expect(await until(() => person.texts[0])).toBe("as before");
  });

  it("says which of its grants the person has signed, and looks again when it misses some", async () => {
    const { person, agent, credentials, events, call } = await paired();
    const told = () => events.filter(({ type }) => type === "encryption.grants");
    const { relation_id } = await relationOf(events);
    const sign = () => person.keys.grant(relation_id, agent.agentId, ["filesystem:read"]);
    await sign();
    const { userId: user_id } = credentials;
    const payload = { user_id, proven_scopes: ["filesystem:read"], unproven_scopes: [] };
    expect(await until(() => told()[0])).toMatchObject({ payload });
    await sign();
    await call();
    expect(await until(() => told()[1])).toMatchObject({ payload });
  });

  it("has no safety number for somebody it does not know", async () => {
    const { agent } = await paired();
    await expect(agent.safetyNumber("nobody")).rejects.toMatchObject({ code: "keys_unknown" });
  });
});

async function relationOf(events: readonly AgentEvent[]): Promise<{ relation_id: string }> {
  const event = await until(() => events.find(({ type }) => type === "relation.established"));
  return event.payload as { relation_id: string };
}
