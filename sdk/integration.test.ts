import { describe, expect, it } from "vitest";
import { WebSocket as PackageWebSocket } from "ws";
import type { JsonObject } from "../app/contract/json.ts";
import { MemoryRecords } from "../app/encryption/testing/correspondents.ts";
import { InvitedPerson } from "../hub/testing/invited-person.ts";
import { ofEachTest } from "../hub/testing/of-each-test.ts";
import { HasheeAgent, ToolCallError } from "./index.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";
import { PATIENT } from "./testing/scripted-person.ts";

const hub = ofEachTest(new LivedInHub());

const LONG = { timeoutMs: 1_000_000 };

describe("against the real hub", () => {
  it.each([
    ["the runtime's WebSocket", {}],
    ["the ws package", { webSocket: PackageWebSocket }],
  ])("pairs, calls, is refused, and writes, over %s", async (_, over) => {
    const person = await hub.arrived(({ arguments: { path } }) =>
      path === "/ok"
        ? { status: "ok", result: { content: "hello" } }
        : { status: "denied", reason: "user_refused" },
    );
    const codes: string[] = [];
    const { agent, credentials } = await hub.pair({ onCode: (code) => codes.push(code), ...over });
    expect(codes).toHaveLength(1);
    expect(credentials.userId).toBe(hub.hub.userId);
    expect(credentials.grantedScopes).toEqual(["filesystem:read"]);
    const read = (path: string) =>
      agent.callTool(credentials.conversationId, "read_file", { path }, LONG);
    expect(await read("/ok")).toEqual({ content: "hello" });
    await expect(read("/no")).rejects.toBeInstanceOf(ToolCallError);
    await agent.send(credentials.conversationId, { type: "text", text: "thanks" });
    const stream = agent.stream(credentials.conversationId);
    stream.delta("by");
    await stream.done("bye");
    await expect.poll(() => person.texts, PATIENT).toEqual(["thanks", "bye"]);
    expect(person.shown).toEqual(["by"]);
    expect(person.calls.map(({ permission_scope }) => permission_scope)).toEqual([
      "filesystem:read",
      "filesystem:read",
    ]);
  });

  it("asks the person whom it names", async () => {
    const ada = await InvitedPerson.at(hub, "ada");
    const client = await ada.connect();
    const paired = hub.pair({ userId: "ada" });
    const { pairing_id } = (await client.next("pairing.requested")).payload as JsonObject;
    const answer = { accept: true, granted_scopes: [] };
    await ada.ask("POST", `/pairings/${pairing_id}/answer`, answer);
    expect((await paired).credentials.userId).toBe("ada");
    client.close();
  });

  it("rejects a wrong token, with the manifest left to the hub", async () => {
    await hub.arrived();
    const { agent, credentials, keyStore } = await hub.pair();
    agent.disconnect();
    const known = await HasheeAgent.init({ ...credentials, baseUrl: hub.url, keyStore });
    hub.closing(() => known.disconnect());
    const call = known.callTool(credentials.conversationId, "read_file", { path: "/a" }, LONG);
    expect(await call).toBe(null);
    const wrong = { ...credentials, token: `hsk_${"0".repeat(40)}`, baseUrl: hub.url };
    const failure = HasheeAgent.init({ ...wrong, keyStore: new MemoryRecords() });
    await expect(failure).rejects.toMatchObject({ code: "invalid_token" });
  });
});
