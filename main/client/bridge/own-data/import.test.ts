import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { ImportStep } from "../../../../app/bridge/own-data-calls.ts";
import type { JsonValue } from "../../../../app/contract/json.ts";
import { LIMITS } from "../../../../app/contract/limits.ts";
import { formerItems, givingCalls } from "../../../../renderer/own-data/former-items.ts";
import type { ArtifactContent, TextContent } from "../../../../sdk/content.ts";
import { inHomeOfNobody } from "../../../testing/home-of-nobody.ts";
import { scratchFolder } from "../../../testing/scratch-folder.ts";
import { eventually } from "../../testing/eventually.ts";
import { LaunchedClient } from "../../testing/launched-client.ts";

inHomeOfNobody();

let client: LaunchedClient;
beforeEach(async () => {
  client = await LaunchedClient.start();
});

/** Small enough that lines and characters are cut. */
const PART = 700;

async function send(
  call: "data.import_check" | "data.import_take",
  text: string,
  size = PART,
): Promise<ImportStep> {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / size));
  for (let number = 0; ; number += 1) {
    const part = bytes.subarray(number * size, (number + 1) * size).toString("base64");
    const step = await client.call(call, { number, bytes: part, last: number === count - 1 });
    if (step.kind !== "more") return step;
  }
}
const check = (text: string, size?: number) => send("data.import_check", text, size);
const take = (text: string, size?: number) => send("data.import_take", text, size);

async function exported(): Promise<string> {
  await client.call("data.export", {});
  return client.host.delivered.at(-1)?.text ?? "";
}

/** A file of somebody who had an agent, a conversation both ways, a folder, a host and a rule. */
async function livedIn() {
  const agent = await client.addAgent();
  const folder = scratchFolder();
  await agent.call("send_notification", { title: "hello" });
  const { conversationId } = agent.credentials;
  await agent.sdk.send(conversationId, { type: "text", text: "first — ünïcode" });
  await eventually(async () => ((await exported()).includes("first — ünïcode") ? true : undefined));
  await client.call("conversations.send", {
    conversation_id: conversationId,
    client_message_id: randomUUID(),
    text: "second",
  });
  await client.call("permissions.add_root", { agent_id: agent.id, path: folder, access: "read" });
  await client.call("permissions.add_host", { agent_id: agent.id, host: "nas:8080" });
  await client.call("rules.add", {
    agent_id: agent.id,
    covers: "read_file",
    subject: { kind: "path", path: folder, names: null },
    effect: "deny",
    time: "always",
  });
  const { settings } = await client.snapshot();
  await client.call("settings.set", { ...settings, language: "de" });
  await client.call("agents.rename", { agent_id: agent.id, petname: "Ada" });
  await client.call("agents.suspend", { agent_id: agent.id, suspended: true });
  return { agent, folder, conversationId, file: await exported() };
}

async function removeAll(): Promise<void> {
  await client.call("data.remove", {});
  await eventually(async () => (existsSync(client.dataDir) ? undefined : true));
  await client.restart();
}

describe("an exported file that is imported", () => {
  it("brings back settings and conversations, leaves its log in the file, and grants nothing by itself", async () => {
    const { folder, conversationId, file } = await livedIn();
    await removeAll();
    const checked = await check(file);
    expect(checked).toMatchObject({
      kind: "checked",
      summary: {
        settings: true,
        agents: ["Ada"],
        conversations: 1,
        messages: 2,
        left_out: 0,
      },
    });
    expect((await client.snapshot()).settings.language).toBeNull();
    expect(await client.call("data.former", {})).toEqual([]);

    expect(await take(file)).toEqual({ kind: "taken" });
    const { settings, agents } = await client.snapshot();
    expect([settings.language, agents]).toEqual(["de", []]);
    const list = await client.call("conversations.list", {});
    const found = list.find(({ conversation_id }) => conversation_id === conversationId);
    expect(found).toMatchObject({ title: "Ada", relation: "revoked", unread: 0 });
    const page = { conversation_id: conversationId, limit: 10 };
    const { items } = await client.call("conversations.page", page);
    expect(items).toMatchObject([
      { text: "first — ünïcode", mine: false },
      { text: "second", mine: true },
    ]);
    const former = await client.call("data.former", {});
    expect(former).toMatchObject([
      {
        name: "Test agent",
        petname: "Ada",
        suspended: true,
        roots: [{ path: folder, access: "read" }],
        hosts: [{ host: "nas", port: 8080 }],
        rules: [{ covers: "read_file", effect: "deny", ends_at: null }],
      },
    ]);
    expect(await client.call("activity.verify", {})).toMatchObject({ ok: true });
    const { rows } = await client.call("activity.page", { limit: 50 });
    expect(rows).toEqual([]);
  });

  it("gives an agent of the same name nothing, until the person does", async () => {
    const { file } = await livedIn();
    await removeAll();
    await check(file);
    await take(file);
    await client.addAgent([]);
    const { agents } = await client.snapshot();
    expect(agents).toMatchObject([
      { name: "Test agent", petname: null, relation: "active", roots: [], hosts: [], rules: [] },
    ]);
    const former = await client.call("data.former", {});
    await client.call("data.former_forget", { former_id: former[0]?.former_id ?? "" });
    expect(await client.call("data.former", {})).toEqual([]);
  });

  it("gives an agent, once the person says so, its name and first of all its suspension back", async () => {
    const { file } = await livedIn();
    await removeAll();
    await check(file);
    await take(file);
    await client.addAgent([]);
    const { agents } = await client.snapshot();
    const former = await client.call("data.former", {});
    const [agent, entry] = [agents[0], former[0]];
    if (agent === undefined || entry === undefined) throw new Error("there is nothing to give");
    const steps = givingCalls(agent, formerItems(entry, agent));
    expect(steps.map(([name]) => name)).toEqual([
      "agents.suspend",
      "agents.rename",
      "agents.set_scopes",
      "permissions.add_root",
      "permissions.add_host",
      "rules.import",
    ]);
    for (const [name, args] of steps) await client.call(name, args);
    const [given] = (await client.snapshot()).agents;
    expect(given).toMatchObject({ petname: "Ada", relation: "suspended", rules: [{}] });
    if (given !== undefined) {
      expect(formerItems(entry, given).map(({ kind }) => kind)).not.toContain("suspension");
    }
  });

  it("leaves the conversations that are here as they are, and adds nothing twice", async () => {
    const { conversationId, file } = await livedIn();
    expect(await check(file)).toMatchObject({
      summary: { conversations: 0, messages: 0, known_conversations: 1 },
    });
    expect(await take(file)).toEqual({ kind: "taken" });
    const page = { conversation_id: conversationId, limit: 10 };
    expect((await client.call("conversations.page", page)).items).toHaveLength(3);
  });
});

describe("whatever an agent sends", () => {
  /** Characters of JSON that just fit in a frame once sealed. */
  const LONGEST = 1_424_000;
  /** Written as it is here, while the number would be written with 21 digits. */
  const SHORT: JsonValue = Reflect.get(JSON, "rawJSON")("1e20");
  const nested = (depth: number, value: JsonValue): JsonValue =>
    depth === 0 ? value : [nested(depth - 1, value)];
  const artifact = (value: JsonValue) => ({ artifact: { subtype: "chart", value } });
  const messages: Record<string, TextContent | ArtifactContent> = {
    "a text of ordinary characters": { type: "text", text: "a".repeat(LONGEST) },
    "a text of control characters": { type: "text", text: "\u0001".repeat(LONGEST / 6) },
    "data that is nested deeply": artifact(nested(60, Array<JsonValue>(LONGEST / 2 - 100).fill(1))),
    "data of short numbers that stand for long ones": artifact(
      Array.from({ length: LONGEST / 5 }, () => SHORT),
    ),
    "data of quotation marks": artifact('"'.repeat(LONGEST / 2)),
    "an artifact that is nested deeply": {
      artifact: { subtype: "ui", artifact_id: "a", blocks: [{ tag: "x", value: nested(60, 1) }] },
    },
  };
  for (const [what, message] of Object.entries(messages)) {
    it(`(${what}) is in a file that can be imported`, async () => {
      const agent = await client.addAgent();
      const { conversationId } = agent.credentials;
      const isText = "text" in message;
      await (isText
        ? agent.sdk.send(conversationId, message)
        : agent.sdk.sendArtifact(conversationId, message));
      const file = await eventually(async () => {
        const text = await exported();
        return text.includes('"kind":"message"') ? text : undefined;
      });
      await removeAll();
      expect(await check(file, LIMITS.importPartBytes)).toMatchObject({
        summary: isText ? { messages: 1, left_out: 0 } : { messages: 0, left_out: 1 },
      });
      expect(await take(file, LIMITS.importPartBytes)).toEqual({ kind: "taken" });
    });
  }
});

describe("a file that is wrong", () => {
  const changes = {
    "is no export": [() => '{"format":"other"}\n', "not_an_export", 1],
    "is of another version": [
      (file: string) => file.replace('"version":2', '"version":3'),
      "other_version",
      1,
    ],
    "has a line that cannot be read": [
      (file: string) => file.replace('{"kind":"settings"', '{"kind":"setting'),
      "line_unreadable",
      2,
    ],
    "ends before its log": [
      (file: string) => file.slice(0, file.indexOf('{"kind":"log"}')),
      "cut_off",
      expect.any(Number),
    ],
  } as const;
  for (const [what, [change, fault, line]] of Object.entries(changes)) {
    it(`and ${what} is refused with the place, and changes nothing`, async () => {
      const { file } = await livedIn();
      await removeAll();
      const wrong = change(file);
      expect(wrong).not.toBe(file);
      expect(await check(wrong)).toEqual({ kind: "fault", fault, line });
      expect(await take(wrong)).toEqual({ kind: "fault", fault: "file_changed", line: 1 });
      expect((await client.snapshot()).settings.language).toBeNull();
      expect(await client.call("data.former", {})).toEqual([]);
    });
  }

  it("and was written before a setting existed has that setting's default", async () => {
    const { file } = await livedIn();
    await removeAll();
    const earlier = file.replace('"keep_files":true,', "").replace('"log_targets":true,', "");
    expect(earlier).not.toBe(file);
    expect(await check(earlier)).toMatchObject({ kind: "checked", summary: { settings: true } });
    expect(await take(earlier)).toEqual({ kind: "taken" });
    const { language, keep_files, log_targets } = (await client.snapshot()).settings;
    expect([language, keep_files, log_targets]).toEqual(["de", true, true]);
  });

  it("or became another one after it was checked is not taken over", async () => {
    const { file } = await livedIn();
    await removeAll();
    await check(file);
    const other = file.replace('"language":"de"', '"language":"en"');
    expect(await take(other)).toMatchObject({ kind: "fault", fault: "file_changed" });
    expect((await client.snapshot()).settings.language).toBeNull();
  });
});
