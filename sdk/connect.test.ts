import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { CATALOGUE } from "../app/contract/catalogue.ts";
import { checkManifest } from "../app/contract/check-manifest.ts";
import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import { ofEachTest } from "../hub/testing/of-each-test.ts";
import { connect, HasheeAgent, manifestFor, type ToolName } from "./index.ts";
import { homeEnv } from "./testing/keys-at-home.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";

const NAMES = [...CATALOGUE.keys()] as ToolName[];
const FACTS = { name: "Note reader", version: "1.2.0" };
const LONG = { timeoutMs: 1_000_000 };

describe("a manifest for some of Consentry's tools", () => {
  it("is one that the client takes, for every tool, and each example of a call", () => {
    const manifest = manifestFor(NAMES, FACTS);
    const text = JSON.stringify(manifest);
    expect(checkManifest(JSON.parse(text), text.length)).toMatchObject({ ok: true, warnings: [] });
    expect(manifest.tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { name, permission_scope } of manifest.tools) {
      expect(permission_scope).toBe(CATALOGUE.get(name)?.scope);
    }
    for (const { id, sensitivity } of manifest.permission_scopes) {
      const [entry] = [...CATALOGUE.values()].filter(({ scope }) => scope === id);
      expect(sensitivity).toBe(entry?.leastSensitivity);
    }
  });

  it("has keys by the agent's name, each scope once, and what was said to differ", () => {
    const manifest = manifestFor(["read_file", "list_directory", "write_file", "read_file"], {
      ...FACTS,
      flags: { supports_voice: true },
      tools: { write_file: { timeout_ms: 5 } },
      scopes: { "filesystem:read": { description_fallback: "To find a name" } },
    });
    expect(manifest).toMatchObject({
      agent_version: "1.2.0",
      tools: [
        { name: "read_file", description_i18n_key: "note_reader.tools.read_file.desc" },
        { name: "list_directory" },
        { name: "write_file", timeout_ms: 5 },
      ],
      permission_scopes: [
        {
          id: "filesystem:read",
          label_i18n_key: "note_reader.scopes.filesystem_read.label",
          description_fallback: "To find a name",
          sensitivity: "medium",
        },
        { id: "filesystem:write", label_fallback: "Change files and folders" },
      ],
      capability_flags: { supports_voice: true },
    });
    expect(manifest.permission_scopes).toHaveLength(2);
  });

  it("is refused for a tool that there is not, by its name", () => {
    expect(() => manifestFor(["read_fil" as ToolName], FACTS)).toThrow("no tool read_fil");
  });
});

describe("an agent by its name", () => {
  const hub = ofEachTest(new LivedInHub());
  const before = { ...process.env };
  let home = "";

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "connect-"));
    Object.assign(process.env, homeEnv(home));
  });
  afterEach(async () => {
    Object.assign(process.env, before);
    await rm(home, { recursive: true });
  });

  const start = async (tools: readonly ToolName[], over = {}) => {
    const codes: string[] = [];
    const onCode = (code: string) => codes.push(code);
    const manifest = manifestFor(tools, FACTS);
    const agent = await connect("Note reader", manifest, { baseUrl: hub.url, onCode, ...over });
    hub.closing(() => agent.disconnect());
    const call = agent.callTool("read_file", { path: "/a" }, LONG);
    return { agent, asked: codes.length, answer: await call };
  };

  it("asks once, comes back as the same agent, and brings its new manifest", async () => {
    await hub.arrived(() => ({ status: "ok", result: { content: "# Notes" } }));
    const first = await start(["read_file"]);
    expect(first).toMatchObject({ asked: 1, answer: { content: "# Notes" } });
    first.agent.disconnect();
    const manifestVersion = async () => {
      const { json } = await hub.asPerson("GET", `/agents/${first.agent.agentId}`);
      return json.data.capability_manifest_version;
    };
    const again = await start(["read_file"]);
    expect(again).toMatchObject({ asked: 0, answer: { content: "# Notes" } });
    expect(again.agent.agentId).toBe(first.agent.agentId);
    expect(again.agent.conversationId).toBe(first.agent.conversationId);
    expect(await manifestVersion()).toBe(1);
    again.agent.disconnect();
    (await start(["read_file", "send_notification"])).agent.disconnect();
    expect(await manifestVersion()).toBe(2);
    const other = await start(["read_file"], { storeCredentials: "replace" });
    expect(other.asked).toBe(1);
    expect(other.agent.agentId).not.toBe(first.agent.agentId);
  });

  it("knows no conversation if it was started without one", async () => {
    await hub.arrived();
    const { agent, credentials, keyStore } = await hub.pair();
    agent.disconnect();
    const { agentId, token } = credentials;
    const bare = await HasheeAgent.init({ agentId, token, keyStore, baseUrl: hub.url });
    hub.closing(() => bare.disconnect());
    const unknown = { code: "conversation_unknown" };
    await expect(bare.callTool("read_file", { path: "/a" })).rejects.toMatchObject(unknown);
    await expect(bare.send({ type: "text", text: "" })).rejects.toMatchObject(unknown);
  });
});

it("a call has the types of its tool, and JSON for any other name", () => {
  const types = async (agent: HasheeAgent, other: string) => {
    const file = await agent.callTool("read_file", { path: "/a" });
    expectTypeOf(file.content).toEqualTypeOf<string>();
    const within = await agent.callTool("c", "fetch_web_page", { url: "https://a.example/" });
    expectTypeOf(within.status_code).toEqualTypeOf<number>();
    expectTypeOf(await agent.callTool("c", other, { any: 1 })).toEqualTypeOf<JsonValue>();
    expectTypeOf(await agent.callTool("own_tool", {} as JsonObject)).toEqualTypeOf<JsonValue>();
    // @ts-expect-error: the path is missing
    await agent.callTool("read_file", {});
    // @ts-expect-error: no such argument
    await agent.callTool("c", "list_directory", { path: "/a", depth: 2 });
  };
  expect(types).toBeTypeOf("function");
});
