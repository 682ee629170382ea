import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { keysOf } from "../../../hub/testing/key-owner.ts";
import { tellWaiting } from "../../browser/tell-waiting.ts";
import { eventually } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import type { TestAgent } from "../testing/test-agent.ts";

/** About as much as one frame may carry. */
const LONG = "x".repeat(1_300_000);

let client: LaunchedClient;
let loud: TestAgent;
let quiet: TestAgent;
beforeEach(async () => {
  client = new LaunchedClient();
  client.sendLimits = { sentBytesPerMinute: null };
  await client.launch();
  loud = await client.addAgent([], "Loud");
  quiet = await client.addAgent(undefined, "Quiet");
});
afterEach(() => client.end());

const talkOf = ({ credentials }: TestAgent) => credentials.conversationId;
const say = (agent: TestAgent, text: string) =>
  agent.sdk.send(talkOf(agent), { type: "text", text });
const fullNotice = async () =>
  (await client.snapshot()).notices.find(({ code }) => code === "history_full");
const kept = async (agent: TestAgent) =>
  (await client.call("conversations.page", { conversation_id: talkOf(agent), limit: 100 })).items;

/** As after many messages: little room is left in this agent's history. */
async function nearlyFull(agent: TestAgent): Promise<void> {
  await say(agent, "a word");
  await eventually(async () => (await kept(agent)).length > 0 || undefined);
  const bytes = LIMITS.keptBytes - LONG.length - 10_000;
  await client.restart(() =>
    client.sql(`UPDATE kept_bytes SET bytes = ${bytes} WHERE sender_id = '${agent.id}'`),
  );
  await client.reconnected();
}

/** Writes until it is refused. @returns how many messages were accepted */
async function fill(agent: TestAgent): Promise<number> {
  const most = Math.ceil(LIMITS.waitingBytes / LONG.length);
  for (let taken = 0; taken <= most; taken += 1) {
    const refused = await say(agent, LONG).then(
      () => null,
      (error: { readonly code: string }) => error.code,
    );
    if (refused === "HISTORY_FULL") return taken;
    expect(refused).toBeNull();
  }
  throw new Error("it was never refused");
}

describe("an agent without any permission that writes as much as it can", () => {
  it("is refused when its history is full, which the person is told and can end", async () => {
    await nearlyFull(loud);
    const taken = await fill(loud);
    expect(taken).toBeGreaterThan(1);
    expect(await eventually(fullNotice)).toMatchObject({
      conversations: [{ conversation_id: talkOf(loud), title: "Loud" }],
    });
    // Nothing that was acknowledged is missing.
    expect(await kept(loud)).toHaveLength(1 + taken);
    await client.restart();
    await client.reconnected();
    await expect(say(loud, "still")).rejects.toMatchObject({ code: "HISTORY_FULL" });
    expect(await fullNotice()).toBeDefined();
    // The other agent has all of its messages.
    await say(quiet, "a word");
    expect(await quiet.notify()).toEqual({ result: { shown: true, folded: false } });
    await eventually(async () => (await kept(quiet)).length > 1 || undefined);
    await client.call("conversations.delete_history", { conversation_id: talkOf(loud) });
    expect(await fullNotice()).toBeUndefined();
    await eventually(() => say(loud, "again").catch(() => undefined));
  });

  it("leaves nothing behind when it is removed", async () => {
    await nearlyFull(loud);
    await fill(loud);
    await client.call("agents.remove", { agent_id: loud.id, keep_history: true });
    expect(await fullNotice()).toBeUndefined();
  });
});

describe("an agent that makes and withdraws requests, over and over, while no page is open", () => {
  const ended = new AbortController();
  afterEach(() => ended.abort());

  it("gets five notifications a minute, then a single one, including those it sends", async () => {
    const asking = await client.addAgent(undefined, "Asking");
    let lines = 0;
    tellWaiting({
      program: client.program,
      scheduler: client.time.scheduler,
      notifications: () => client.platform.notifications(),
      say: () => {
        lines += 1;
      },
      signal: ended.signal,
    });
    const shownOf = ({ id }: TestAgent) =>
      client.platform.shown.filter(({ agentId }) => agentId === id);
    for (let round = 1; round <= LIMITS.notificationsPerMinute + 4; round += 1) {
      const call = new AbortController();
      const given = asking.sdk
        .callTool(talkOf(asking), "write_clipboard", { text: "x" }, { signal: call.signal })
        .catch(() => {});
      await client.cards(1);
      await eventually(async () => shownOf(asking).length >= round || undefined);
      call.abort();
      await given;
      await client.cards(0);
    }
    const shown = shownOf(asking);
    expect(shown.map(({ folded }) => folded)).toEqual([0, 0, 0, 0, 0, 1, 2, 3, 4]);
    expect(new Set(shown.slice(5).map(({ replaces }) => replaces)).size).toBe(1);
    expect(lines).toBe(LIMITS.notificationsPerMinute);
    expect(await asking.notify()).toEqual({ result: { shown: true, folded: true } });
    expect(shownOf(asking).at(-1)?.folded).toBe(5);

    // The other agent's requests are announced as usual.
    void quiet.write();
    await eventually(async () => shownOf(quiet).length > 0 || undefined);
    expect(shownOf(quiet)).toMatchObject([{ folded: 0, body: "write_clipboard" }]);
    expect(await quiet.notify()).toEqual({ result: { shown: true, folded: false } });
  });
});

describe("an agent that floods the hub past every client of ours", () => {
  const ask = async (agent: TestAgent, method: string, path: string, body: object) =>
    fetch(client.hubUrl + path, {
      method,
      headers: { authorization: `Bearer ${agent.credentials.token}` },
      body: JSON.stringify(body),
    });
  const faults = () => client.stderr.filter((line) => line.includes("EnvelopeFault"));

  it("has so many refused envelopes a minute reported individually, then their number", async () => {
    const count = LIMITS.faultsPerMinute + 25;
    for (let at = 0; at < count; at += 1) {
      const body = { client_message_id: `${at}`, content_type: "text", encrypted_payload: "AGhp" };
      await ask(loud, "POST", `/conversations/${talkOf(loud)}/messages`, body);
    }
    await eventually(async () => (await kept(loud)).length === count || undefined);
    expect(faults()).toHaveLength(LIMITS.faultsPerMinute);
    await client.close();
    expect(faults().slice(LIMITS.faultsPerMinute)).toEqual([
      "A part of Consentry failed: EnvelopeFault more_envelopes (25)",
    ]);
    await client.launch();
  });

  it("cannot use up key requests by changing its keys: another agent's new key is seen", async () => {
    const publish = async (agent: TestAgent) =>
      (await ask(agent, "PUT", "/keys/mine", (await keysOf(agent.id, 2, "ratchet")).body)).status;
    for (let change = 0; change < LIMITS.keyChangesPerHour; change += 1) {
      expect(await publish(loud)).toBe(200);
    }
    expect(await publish(loud)).toBe(429);
    expect(await publish(quiet)).toBe(200);
    const changed = await eventually(async () => {
      const { agents } = (await client.snapshot()).keys;
      const of = agents.filter((each) => each.changed !== null).map(({ agent_id }) => agent_id);
      return of.length === 2 ? of : undefined;
    });
    expect(changed.toSorted()).toEqual([loud.id, quiet.id].toSorted());
  });
});
