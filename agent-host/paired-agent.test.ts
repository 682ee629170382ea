import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { denied } from "../app/contract/codes.ts";
import { homeEnv } from "../sdk/testing/keys-at-home.ts";
import { LivedInHub } from "../sdk/testing/lived-in-hub.ts";
import type { ScriptedPerson } from "../sdk/testing/scripted-person.ts";
import { WEB_MANIFEST } from "../sdk/testing/web-manifest.ts";
import { readAgent } from "./paired-agent.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model/scripted-model.ts";
import { run as runHost } from "./testing/run-host.ts";

const PAGE = { status_code: 200, body: "Example Domain" };

let folder: string;
const hub = new LivedInHub();
let model: ScriptedModel;
let person: ScriptedPerson;
let config: string;
const home = { ...process.env };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agent-host-paired-"));
  Object.assign(process.env, homeEnv(folder));
  await hub.start();
  model = await scriptedModel(({ user, results: [result] }) =>
    result === undefined
      ? { calls: [{ name: "fetch_url", input: { url: user } }] }
      : { text: `I was told ${result.text}` },
  );
  person = await hub.arrived(({ arguments: { url } }) =>
    String(url).includes("other") ? denied("user_refused") : { status: "ok", result: PAGE },
  );
  config = join(folder, "host.json");
  const openai = { baseUrl: `${model.url}/v1`, apiKey: "sk" };
  await writeFile(config, JSON.stringify({ dataDir: "data", providers: { openai } }));
  await writeFile(join(folder, "manifest.json"), JSON.stringify(WEB_MANIFEST));
});

afterAll(async () => {
  process.env = home;
  await hub.end();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[]) => runHost([...args, "--config", config]);

describe("a host that a person has added", () => {
  it("asks with a code, prints the conversation its tools need, and keeps its credentials for its owner only", async () => {
    const paired = run(["pair", hub.url, "--manifest", join(folder, "manifest.json")]);
    expect([await paired.code, paired.err]).toEqual([0, []]);
    const { conversationId } = (await readAgent(join(folder, "data"))) ?? {};
    expect(paired.out).toEqual([expect.any(String), `conversation_id: ${conversationId}`]);
    const file = join(folder, "data/agent.json");
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("offers the person's tools, whose denials are outputs that the model reads", async () => {
    const { conversationId } = (await readAgent(join(folder, "data"))) ?? {};
    const added = run(["keys", "add", "tests"]);
    await added.code;
    const host = run(["--listen", "127.0.0.1:0"]);
    const { url } = JSON.parse(await host.ready);
    const chat = async (content: string, context = {}) => {
      const answer = await fetch(`${url}/api/v1/chat`, {
        method: "POST",
        headers: { authorization: `Bearer ${added.out[0]}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "openai/any",
          messages: [{ role: "user", content }],
          allowedTools: ["fetch_url"],
          context: { conversation_id: conversationId, ...context },
        }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: the response itself is under test
      return (await answer.json()) as any;
    };

    const allowed = await chat("https://example.com/");
    expect(allowed.data.messages[0].parts[0]).toMatchObject({
      type: "dynamic-tool",
      toolName: "fetch_url",
      state: "output-available",
      input: { url: "https://example.com/" },
      output: PAGE,
    });
    expect(person.calls.map((call) => call.arguments)).toEqual([{ url: "https://example.com/" }]);

    const refused = await chat("https://other.com/");
    expect(refused.data.messages[0].parts[0]).toMatchObject({
      state: "output-available",
      output: {
        error: { code: "user_refused", message: expect.stringContaining("do not repeat") },
      },
    });
    expect(refused.data.messages[1].parts[0].text).toContain("The person said no");

    const nobody = await chat("https://example.com/", { conversation_id: "" });
    expect(nobody).toMatchObject({ details: { missingContext: ["conversation_id"] } });
    host.stop();
    expect(await host.code).toBe(0);
  });

  it.each([
    ["a hub that is not there", ["http://127.0.0.1:1"], "hub_unreachable"],
    ["a manifest that is not there", [undefined, "none.json"], "manifest_unreadable"],
  ])("is told of %s", async (_, [url, manifest], message) => {
    const file = join(folder, manifest ?? "manifest.json");
    const paired = run(["pair", url ?? hub.url, "--manifest", file]);
    expect([await paired.code, paired.err[0]]).toEqual([1, expect.stringContaining(message)]);
  });

  it("is told of every fault in its manifest", async () => {
    const file = join(folder, "wrong.json");
    await writeFile(file, JSON.stringify({ ...WEB_MANIFEST, agent_version: "two" }));
    const paired = run(["pair", hub.url, "--manifest", file]);
    expect([await paired.code, paired.err[0]]).toEqual([
      1,
      expect.stringContaining("/agent_version"),
    ]);
  });
});
