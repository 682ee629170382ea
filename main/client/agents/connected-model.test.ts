import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { NOT_ADDED_EXIT } from "../../../app/contract/connected-model.ts";
import { createI18n } from "../../../i18n/index.ts";
import { client, launchForEachTest } from "../testing/each-test.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { modelWords } from "./connected-model.ts";

const KEY = "sk-of-the-person-31be";
const CHOICE = { provider: "anthropic", model: "some-model", api_key: KEY } as const;
const ELSEWHERE = {
  provider: "openai_compatible",
  model: "local",
  base_url: "https://models.example/v1",
} as const;

launchForEachTest();

const connect = (choice: CallArgs<"model.connect">) => client.call("model.connect", choice);
const model = async () => (await client.snapshot()).model;
/** The program that was started last. */
const running = () => {
  const run = client.host.started.at(-1);
  if (run === undefined) throw new Error("nothing was started");
  return run;
};

describe("a model that the person connects", () => {
  it("gets its key over its own line, and nobody else is told", async () => {
    await connect(CHOICE);
    expect(running().args).toEqual([]);
    expect(running().told).toMatchObject([
      { provider: "anthropic", model: "some-model", apiKey: KEY, hubUrl: client.hubUrl },
    ]);
    expect(await model()).toEqual({
      provider: "anthropic",
      model: "some-model",
      base_url: null,
      has_key: true,
      state: "running",
      fault: null,
      code: null,
      conversation_id: null,
    });
    expect(JSON.stringify(await client.snapshot())).not.toContain(KEY);
    expect(filesContaining(client.dataDir, KEY)).toEqual([]);
    expect([...client.stdout, ...client.stderr].join("\n")).not.toContain(KEY);
  });

  it("is still there after a restart, stopped, and starts as the same agent with the same key", async () => {
    await connect(CHOICE);
    const [before] = running().told;
    await client.restart();
    expect(running().ended).toBe(true);
    expect(await model()).toMatchObject({ state: "stopped", has_key: true });
    await client.call("model.start", {});
    expect(running().told[0]).toEqual({ ...before, hubUrl: client.hubUrl });
  });

  it("can be stopped, started once at a time, and removed with its key", async () => {
    await connect(CHOICE);
    await expect(client.call("model.start", {})).rejects.toThrow("already_running");
    await client.call("model.stop", {});
    expect(running().ended).toBe(true);
    expect(await model()).toMatchObject({ state: "stopped" });
    await client.call("model.remove", {});
    expect(await model()).toBeNull();
    await expect(client.call("model.start", {})).rejects.toThrow("not_found");
  });

  it("keeps its key where only the model is changed, and ends the one before", async () => {
    await connect(CHOICE);
    const first = running();
    await connect({ provider: "anthropic", model: "another" });
    expect(first.ended).toBe(true);
    expect(running().told).toMatchObject([{ model: "another", apiKey: KEY }]);
  });

  it("never gets the key that was typed for another place", async () => {
    await connect({ ...ELSEWHERE, api_key: KEY });
    await connect({ ...ELSEWHERE, base_url: "https://other.example/v1" });
    expect(running().told).toMatchObject([{ apiKey: null }]);
    await expect(connect({ provider: "openai", model: "some" })).rejects.toThrow("key_needed");
  });

  it.each([
    ["no address", {}],
    ["no address at all", { base_url: "models" }],
    ["one over which others read the key", { base_url: "http://models.example/v1" }],
    ["one with a name and a password", { base_url: "https://ada:pw@models.example/v1" }],
  ])("is refused with %s", async (_, place) => {
    const choice = { provider: "openai_compatible", model: "some", api_key: KEY } as const;
    await expect(connect({ ...choice, ...place })).rejects.toThrow("base_url_unusable");
    expect(client.host.started).toEqual([]);
  });

  it.each(["http://localhost:11434/v1", "http://127.0.0.1:11434/v1", "http://[::1]:11434/v1"])(
    "may be on this computer: %s",
    async (base_url) => {
      await connect({ ...ELSEWHERE, base_url, api_key: KEY });
      expect(running().told).toMatchObject([{ baseUrl: base_url }]);
    },
  );

  it("may be on the person's network without a key", async () => {
    await connect({ ...ELSEWHERE, base_url: "http://192.168.1.7:11434/v1" });
    expect(running().told).toMatchObject([{ apiKey: null }]);
  });

  it("is told, while it runs, which history the person has deleted", async () => {
    const { conversationId: conversation_id } = (await client.addAgent()).credentials;
    const deleteHistory = () => client.call("conversations.delete_history", { conversation_id });
    await deleteHistory();
    await connect(CHOICE);
    await deleteHistory();
    expect(running().told.slice(1)).toEqual([{ event: "history_deleted", conversation_id }]);
    await client.call("model.stop", {});
    await deleteHistory();
    expect(running().told).toHaveLength(2);
  });

  it("is told its words again when the person chooses another language", async () => {
    await connect(CHOICE);
    const { settings } = await client.snapshot();
    await client.call("settings.set", { ...settings, language: "de" });
    await client.call("settings.set", { ...settings, language: "de", notifications: false });
    const words = modelWords(createI18n("de").t);
    expect(running().told.slice(1)).toEqual([{ event: "words", words }]);
  });

  it("has an identity of its own, which the demonstration does not share", async () => {
    await connect(CHOICE);
    const folderOf = () => (running().told[0] as { readonly folder: string }).folder;
    const own = folderOf();
    await connect({ provider: "demonstration", model: "" });
    expect(folderOf()).not.toBe(own);
    expect(readdirSync(join(client.dataDir, "programs")).toSorted()).toEqual([
      "demonstration",
      "model",
    ]);
  });
});

describe("a model whose key the system's vault is slow to open", () => {
  let opening: PromiseWithResolvers<void>;
  let opened: Promise<void>;

  beforeEach(async () => {
    opening = Promise.withResolvers();
    opened = Promise.resolve();
    client.hostParts = {
      keyVault: {
        available: async () => true,
        wrap: async (key) => key,
        async unwrap(key) {
          const wait = opened;
          opening.resolve();
          await wait;
          return { key, stale: false };
        },
      },
    };
    await client.restart();
    await connect(CHOICE);
    await client.call("model.stop", {});
    client.host.started.length = 0;
  });

  /** Starts it, and does this before its key is there. */
  async function startMeanwhile(change: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    opening = Promise.withResolvers();
    opened = promise;
    const starting = client.call("model.start", {});
    await opening.promise;
    opened = Promise.resolve();
    await change();
    resolve();
    await starting;
  }

  it("does not start when it is removed meanwhile", async () => {
    await startMeanwhile(() => client.call("model.remove", {}));
    expect(client.host.started).toEqual([]);
    expect(await model()).toBeNull();
  });

  it("starts once, as what it has become, when it is changed meanwhile", async () => {
    await startMeanwhile(() => connect({ provider: "anthropic", model: "another" }));
    expect(client.host.started.map(({ told }) => told)).toMatchObject([[{ model: "another" }]]);
  });
});

describe("what its agent tells", () => {
  beforeEach(() => connect(CHOICE));

  it("is shown: the code, the conversation, what went wrong, and that it is right again", async () => {
    running().said({ event: "code", code: "ABC-DEF" });
    expect(await model()).toMatchObject({ code: "ABC-DEF", conversation_id: null });
    running().said({ event: "connected", conversation_id: "c1" });
    expect(await model()).toMatchObject({ code: null, conversation_id: "c1" });
    running().said({ event: "fault", fault: "quota" });
    expect(await model()).toMatchObject({ fault: "quota" });
    running().said({ event: "answered" });
    expect(await model()).toMatchObject({ fault: null });
  });

  it("counts only in the form that was agreed on, and while it runs", async () => {
    const before = await model();
    running().said({ event: "fault", fault: "something else" });
    running().said("connected");
    expect(await model()).toEqual(before);
    const stopped = running();
    await client.call("model.stop", {});
    stopped.said({ event: "connected", conversation_id: "c1" });
    expect(await model()).toEqual({ ...before, state: "stopped" });
  });

  it.each([
    [NOT_ADDED_EXIT, "not_added"],
    [1, "ended"],
  ])("with exit code %d is %s", async (code, fault) => {
    running().exit(code);
    expect(await model()).toMatchObject({ state: "stopped", fault });
  });

  it("is no conversation any more once the person has removed it", async () => {
    running().said({ event: "connected", conversation_id: "c1" });
    running().exit(NOT_ADDED_EXIT);
    expect(await model()).toMatchObject({ fault: "not_added", conversation_id: null });
  });
});
