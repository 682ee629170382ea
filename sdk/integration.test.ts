import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket as PackageWebSocket } from "ws";
import { MemoryRecords } from "../app/encryption/testing/correspondents.ts";
import { type Hub, startHub } from "../hub/index.ts";
import { testHubOptions } from "../hub/testing/hub-options.ts";
import { realClock } from "./clock.ts";
import { HasheeAgent, ToolDeniedError, type WebSocketConstructor } from "./index.ts";
import { PATIENT, ScriptedPerson } from "./testing/scripted-person.ts";
import { MANIFEST } from "./testing/start-agent.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openHub(databasePath = ":memory:", port = 0): Promise<Hub> {
  const hub = await startHub({ ...testHubOptions, databasePath, port });
  closing.push(() => hub.close());
  return hub;
}

async function pairWith(hub: Hub, over: { webSocket?: WebSocketConstructor } = {}) {
  const codes: string[] = [];
  const keyStore = new MemoryRecords();
  const paired = await HasheeAgent.pair({
    name: "Reader",
    manifest: MANIFEST,
    baseUrl: hub.url,
    onCode: (code) => codes.push(code),
    keyStore,
    // The back-off runs a hundred times faster; the order of things is the same.
    clock: { ...realClock, after: (ms, run) => realClock.after(ms < 10_000 ? ms / 100 : ms, run) },
    ...over,
  });
  closing.push(() => paired.agent.disconnect());
  return { ...paired, codes, keyStore };
}

const LONG = { timeoutMs: 1_000_000 };

describe("against the real hub", () => {
  it.each([
    ["the runtime's WebSocket", {}],
    ["the ws package", { webSocket: PackageWebSocket }],
  ])("pairs, calls, is refused, and writes, over %s", async (_, over) => {
    const hub = await openHub();
    const person = new ScriptedPerson(hub, ({ arguments: { path } }) =>
      path === "/ok"
        ? { status: "ok", result: { content: "hello" } }
        : { status: "denied", reason: "user_refused" },
    );
    await person.arrive();
    const { agent, credentials, codes } = await pairWith(hub, over);
    expect(codes).toHaveLength(1);
    expect(credentials.userId).toBe(hub.userId);
    expect(credentials.grantedScopes).toEqual(["filesystem:read"]);
    const read = (path: string) =>
      agent.callTool(credentials.conversationId, "read_file", { path }, LONG);
    expect(await read("/ok")).toEqual({ content: "hello" });
    await expect(read("/no")).rejects.toBeInstanceOf(ToolDeniedError);
    await agent.send(credentials.conversationId, { type: "text", text: "thanks" });
    const stream = agent.stream(credentials.conversationId);
    stream.delta("by");
    await stream.done("bye");
    await expect.poll(() => person.texts, PATIENT).toEqual(["thanks", "bye"]);
    expect(person.calls.map(({ permission_scope }) => permission_scope)).toEqual([
      "filesystem:read",
      "filesystem:read",
    ]);
  });

  it("answers many calls at once, each with its own result", async () => {
    const hub = await openHub();
    const person = new ScriptedPerson(hub, (call) => ({
      status: "ok",
      result: call.arguments.path ?? null,
    }));
    await person.arrive();
    const { agent, credentials } = await pairWith(hub);
    const paths = Array.from({ length: 50 }, (_, at) => `/${at}`);
    const results = paths.map((path) =>
      agent.callTool(credentials.conversationId, "read_file", { path }, LONG),
    );
    expect(await Promise.all(results)).toEqual(paths);
  });

  it("keeps a waiting call across a restart of the hub, and makes it once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sdk-integration-"));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const database = join(folder, "hub.db");
    const first = await openHub(database);
    const absent = new ScriptedPerson(first, () => ({ status: "ok", result: null }));
    await absent.arrive();
    const { agent, credentials } = await pairWith(first);
    const { conversationId } = credentials;
    await first.close();
    const waiting = agent.callTool(conversationId, "read_file", { path: "/late" }, LONG);
    const second = await openHub(database, Number(new URL(first.url).port));
    const person = new ScriptedPerson(second, () => ({ status: "ok", result: "at last" }));
    person.with(absent.keys);
    await person.arrive();
    expect(await waiting).toBe("at last");
    expect(person.calls).toHaveLength(1);
    expect(absent.calls).toHaveLength(0);
  });

  it("rejects a wrong token, with the manifest left to the hub", async () => {
    const hub = await openHub();
    const person = new ScriptedPerson(hub, () => ({ status: "ok", result: null }));
    await person.arrive();
    const { agent, credentials, keyStore } = await pairWith(hub);
    agent.disconnect();
    const known = await HasheeAgent.init({ ...credentials, baseUrl: hub.url, keyStore });
    closing.push(() => known.disconnect());
    const call = known.callTool(credentials.conversationId, "read_file", { path: "/a" }, LONG);
    expect(await call).toBe(null);
    const wrong = { ...credentials, token: `hsk_${"0".repeat(40)}`, baseUrl: hub.url };
    const failure = HasheeAgent.init({ ...wrong, keyStore: new MemoryRecords() });
    await expect(failure).rejects.toMatchObject({ code: "invalid_token" });
  });

  it("withdraws its request from the person when it times out", async () => {
    const hub = await openHub();
    const person = new ScriptedPerson(hub, () => ({ status: "ok", result: null }), false);
    await person.arrive();
    const abort = new AbortController();
    const pairing = HasheeAgent.pair({
      name: "Reader",
      manifest: MANIFEST,
      baseUrl: hub.url,
      onCode: () => abort.abort(),
      signal: abort.signal,
    });
    await expect(pairing).rejects.toMatchObject({ code: "aborted" });
    await expect.poll(() => person.closedPairings, PATIENT).toEqual(["withdrawn"]);
  });

  it("says what is wrong with a manifest", async () => {
    const hub = await openHub();
    const pairing = HasheeAgent.pair({
      name: "Reader",
      manifest: { ...MANIFEST, agent_version: "one" },
      baseUrl: hub.url,
      onCode: () => {},
    });
    await expect(pairing).rejects.toMatchObject({
      code: "manifest_invalid",
      problems: [{ pointer: "/agent_version", code: "agent_version_not_semver" }],
    });
  });
});
