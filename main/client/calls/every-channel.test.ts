import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { AskingHook } from "../../channels/hooks/testing/asking-hook.ts";
import { LocalAgent } from "../../channels/mcp/testing/local-agent.ts";
import { MemoryChannel } from "../../channels/testing/memory-channel.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { eventually } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import type { Outcome } from "../testing/test-agent.ts";
import { ALL_SCOPES, MANIFEST } from "../testing/test-manifest.ts";

interface AnyCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** An agent of any channel. */
interface AnyAgent {
  readonly id: string;
  /** Absent: that of the test's manifest. A medium one has a text to tell it from others by. */
  readonly medium?: (text: string) => AnyCall;
  readonly high?: AnyCall;
  /** Absent: the medium one with numbers for its arguments. */
  readonly wrong?: AnyCall;
  call(tool: string, args?: JsonObject, callId?: string): Promise<Outcome>;
  /** For one that does not connect by itself after the program has restarted. */
  connect?(): Promise<unknown>;
}

let client: LaunchedClient;
let memory: MemoryChannel;
beforeEach(async () => {
  client = new LaunchedClient();
  client.sendLimits = { toolCallsPerMinute: null };
  client.channels = [
    (host) => {
      memory = new MemoryChannel(host);
      return memory;
    },
  ];
  await client.launch();
});
afterEach(() => client.end());

async function inMemory(scopes: readonly string[] = ALL_SCOPES): Promise<AnyAgent> {
  const id = `agent-${randomUUID()}`;
  await memory.add(id, MANIFEST, scopes);
  return {
    id,
    async call(tool, args = {}, callId) {
      const response = await memory.call(id, tool, args, callId);
      if (response === null) return { refused: "put off" };
      return response.status === "ok" ? { result: response.result } : { refused: response.reason };
    },
  };
}

/** A program at the local socket, whose manifest is the whole catalogue. */
async function overTheSocket(scopes: readonly string[] = ALL_SCOPES): Promise<AnyAgent> {
  const agent = new LocalAgent(client);
  const id = await agent.paired([...scopes, "filesystem:write"]);
  const path = join(scratchFolder(), "note.txt");
  writeFileSync(path, "kept");
  return {
    id,
    high: { tool: "delete_file", args: { path } },
    connect: () => agent.connect(),
    async call(tool, args = {}) {
      const answer = await agent.call(tool, args);
      if (answer.kind === "ok") return { result: answer.result };
      return { refused: answer.kind === "refused" ? answer.reason : answer.kind };
    },
  };
}

/** An agent that asks before its own tools run, which are never ours. */
async function throughHooks(scopes: readonly string[] = HOOKED_SCOPES): Promise<AnyAgent> {
  const folder = scratchFolder();
  const agent = new AskingHook(client, folder);
  const id = await agent.paired(scopes.filter((scope) => HOOKED_SCOPES.includes(scope)));
  await agent.greet();
  return {
    id,
    medium: (text) => ({ tool: "Read", args: { file_path: join(folder, text) } }),
    wrong: { tool: "Read", args: { file_path: `/${"x".repeat(5_000)}` } },
    high: { tool: "Bash", args: { command: "echo $(id)" } },
    async call(tool, args = {}) {
      const decision = await agent.askOverHttp(tool, args);
      if (decision.allow !== false) return { result: "allowed" };
      return { refused: /\((\w+)\)/.exec(decision.reason)?.[1] ?? "" };
    },
  };
}
const HOOKED_SCOPES: readonly string[] = ["agent:read", "agent:edit", "agent:command"];

/** Calls that one agent has under way at once: nearly as many as a local connection may. */
const FLOOD = 60;

const CHANNELS = {
  mcp: overTheSocket,
  hook: throughHooks,
  hub: (scopes?: readonly string[]): Promise<AnyAgent> => client.addAgent(scopes),
  memory: inMemory,
};

const lines = (count: number) =>
  eventually(async () => {
    const log = await client.log();
    const over = log.filter(({ status }) => status !== "running");
    return over.length === count ? over : undefined;
  });
const write = (agent: AnyAgent, text = "text", callId?: string) => {
  const { tool, args } = agent.medium?.(text) ?? WRITE(text);
  return agent.call(tool, args, callId);
};
const WRITE = (text: string): AnyCall => ({ tool: "write_clipboard", args: { text } });
const high = (agent: AnyAgent) =>
  agent.call(agent.high?.tool ?? "read_clipboard", agent.high?.args ?? {});
const notify = (agent: AnyAgent, callId?: string) =>
  agent.call("send_notification", { title: "Hello" }, callId);

describe.each(Object.entries(CHANNELS))("the contract, over the %s", (name, add) => {
  /** None of the tools that agents with hooks have is low, and none of theirs runs here. */
  const isHook = name === "hook";

  it("a tool that is not declared, and one whose scope is not granted, is refused and logged", async () => {
    const agent = await add(["notification:send"]);
    expect(await write(agent)).toEqual({ refused: "scope_not_granted" });
    if (name === "memory") {
      expect(await agent.call("launch_rocket")).toEqual({ refused: "tool_not_declared" });
    }
    expect(client.platform.sideEffects).toBe(0);
    expect((await client.log()).every(({ status }) => status === "denied")).toBe(true);
  });

  it("one agent's calls delay another's by little, however many they are", async () => {
    const loud = await add(["notification:send"]);
    const quiet = await add(["notification:send"]);
    let answered = 0;
    const flood = Array.from({ length: FLOOD }, async (_, at) => {
      expect(await write(loud, `${at}`)).toEqual({ refused: "scope_not_granted" });
      answered += 1;
    });
    await Promise.race(flood);
    expect(await write(quiet)).toEqual({ refused: "scope_not_granted" });
    expect(answered).toBeLessThan(FLOOD);
    await Promise.all(flood);
  });

  it("invalid arguments are refused before the person is asked", async () => {
    const agent = await add();
    const { tool, args } = agent.medium?.("text") ?? WRITE("text");
    const wrong = Object.fromEntries(Object.keys(args).map((key) => [key, 7]));
    const call = agent.wrong ?? { tool, args: wrong };
    expect(await agent.call(call.tool, call.args)).toEqual({ refused: "schema_violation" });
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it.skipIf(isHook)("a low one runs unasked", async () => {
    const agent = await add();
    expect(await notify(agent)).toHaveProperty("result");
    expect(client.platform.shown).toHaveLength(1);
  });

  it("a medium one is asked about once, and then not in that conversation", async () => {
    const agent = await add();
    const outcome = await client.answered(write(agent, "one"), "allow_in_conversation");
    expect(outcome).toHaveProperty("result");
    // Agents with hooks have no folders here, so their quiet period is for the one file.
    expect(await write(agent, isHook ? "one" : "two")).toHaveProperty("result");
    expect(client.platform.writes).toEqual(isHook ? [] : ["one", "two"]);
    expect(await client.log()).toMatchObject([{ decided_by: "window" }, { decided_by: "person" }]);
  });

  it("a high one is asked about each time, and runs out", async () => {
    const agent = await add();
    const call = high(agent);
    const { request_id, answers } = await client.waitingCard();
    expect(answers).not.toContain("allow_in_conversation");
    await client.call("consent.opened", { request_id });
    client.time.jump(name === "hub" ? LIMITS.consentTimeoutMs : LIMITS.consentTimeoutLocalMs);
    // An MCP client waits for less long, and asks for the answer later.
    expect(await call).toEqual({ refused: name === "mcp" ? "parked" : "user_timeout" });
    expect((await client.snapshot()).missed.requests).toHaveLength(1);
  });

  it("a denied call does not run, and always deny keeps denying", async () => {
    const agent = await add();
    const outcome = await client.answered(high(agent), "always_deny");
    expect(outcome).toEqual({ refused: "user_refused" });
    expect(await high(agent)).toEqual({ refused: "user_refused" });
    expect(client.platform.reads).toEqual([]);
  });

  // Local clients have no ids of calls that outlive a connection; MCP's own tests show when an answer is given again.
  it.skipIf(name === "mcp" || isHook)(
    "the same call again has the same answer, and nothing runs twice",
    async () => {
      const agent = await add();
      const first = await notify(agent, "call-1");
      expect(await notify(agent, "call-1")).toEqual(first);
      expect(client.platform.shown).toHaveLength(1);
      expect(await write(agent, "other", "call-1")).toEqual({ refused: "call_id_reused" });
    },
  );

  it("a pause refuses new calls and withdraws waiting requests", async () => {
    const agent = await add();
    const waiting = write(agent);
    await client.waitingCard();
    await client.call("agents.pause", { paused: true });
    expect(await waiting).toEqual({ refused: "user_refused" });
    expect(await write(agent, "other")).toEqual({ refused: "user_refused" });
    if (!isHook) expect(await notify(agent)).toEqual({ refused: "user_refused" });
    expect(client.platform.sideEffects).toBe(0);
  });

  it.skipIf(isHook)(
    "suspending an agent ends what waits and runs and refuses what comes, also after a restart",
    async () => {
      const agent = await add();
      const other = await add();
      client.platform.hold = new Promise(() => {});
      const running = notify(agent);
      const waiting = write(agent);
      for (const call of [running, waiting]) call.catch(() => {});
      await client.waitingCard();
      await client.call("agents.suspend", { agent_id: agent.id, suspended: true });
      await client.cards(0);
      expect((await lines(2)).map(({ reason }) => reason)).toEqual([
        "permission_revoked",
        "permission_revoked",
      ]);
      const shown = async () =>
        (await client.snapshot()).agents.map(({ agent_id, relation }) => [agent_id, relation]);
      expect(await shown()).toEqual([
        [agent.id, "suspended"],
        [other.id, "active"],
      ]);
      client.platform.hold = null;
      expect(await notify(agent)).toEqual({
        refused: name === "hub" ? "NOT_A_MEMBER" : "permission_revoked",
      });
      expect(await notify(other)).toHaveProperty("result");

      await client.restart();
      expect(await shown()).toContainEqual([agent.id, "suspended"]);
      await client.call("agents.suspend", { agent_id: agent.id, suspended: false });
      await eventually(async () => {
        const states = (await shown()).map(([, relation]) => relation);
        return states.includes("suspended") ? undefined : true;
      });
      if (name === "hub") await client.reconnected();
      await agent.connect?.();
      expect(await notify(agent)).toHaveProperty("result");
    },
  );

  it.runIf(isHook)("suspending an agent ends what waits and refuses what comes", async () => {
    const agent = await add();
    const waiting = write(agent);
    await client.waitingCard();
    const suspend = (suspended: boolean) =>
      client.call("agents.suspend", { agent_id: agent.id, suspended });
    await suspend(true);
    expect(await waiting).toEqual({ refused: "permission_revoked" });
    expect(await write(agent)).toEqual({ refused: "permission_revoked" });
    await client.restart();
    await agent.connect?.();
    expect(await write(agent)).toEqual({ refused: "permission_revoked" });
    await suspend(false);
    expect(await client.answered(write(agent), "allow_once")).toHaveProperty("result");
  });

  it("revoking a scope ends what waits for it, and it can be granted again", async () => {
    const agent = await add();
    const waiting = write(agent);
    await client.waitingCard();
    const scope = isHook ? "agent:read" : "clipboard:write";
    await client.call("permissions.revoke_scope", { agent_id: agent.id, scope });
    expect(await waiting).toEqual({ refused: "permission_revoked" });
    expect(await write(agent)).toEqual({ refused: "permission_revoked" });
    const args = {
      agent_id: agent.id,
      manifest_version: 1,
      granted_scopes: [...(isHook ? HOOKED_SCOPES : ALL_SCOPES)],
    };
    await client.call("agents.set_scopes", args);
    expect(await client.answered(write(agent), "allow_once")).toHaveProperty("result");
  });

  it("an agent that was removed is refused", async () => {
    const agent = await add();
    const waiting = write(agent);
    waiting.catch(() => {});
    await client.waitingCard();
    await client.call("agents.remove", { agent_id: agent.id });
    await client.cards(0);
    expect((await client.snapshot()).agents).toEqual([]);
    expect(await lines(1)).toMatchObject([{ reason: "permission_revoked" }]);
    expect(client.platform.sideEffects).toBe(0);
  });

  it("every call has an entry that says what was decided by which rule", async () => {
    const agent = await add();
    if (isHook) await client.answered(high(agent), "allow_once");
    else await notify(agent);
    await client.answered(write(agent), "deny");
    expect(await lines(2)).toMatchObject([
      { status: "denied", decided_by: "person" },
      { status: "ok", decided_by: isHook ? "person" : "silent_low" },
    ]);
    await client.close();
    const came = client.inDatabase((db) =>
      db.prepare("SELECT DISTINCT transport FROM audit_log").pluck().all(),
    );
    expect(came.filter((each) => each !== null)).toEqual([name]);
  });
});

describe("what a channel says of its agents", () => {
  let agent: AnyAgent;
  beforeEach(async () => {
    agent = await inMemory();
  });

  it("is waited for: no call is checked before its agent is ready", async () => {
    const ready = Promise.withResolvers<void>();
    memory.ready = ready.promise;
    const call = notify(agent);
    await client.snapshot();
    expect(client.platform.shown).toEqual([]);
    memory.withheld = "suspended";
    ready.resolve();
    expect(await call).toEqual({ refused: "permission_revoked" });
    expect(client.platform.shown).toEqual([]);
  });

  it("can withhold grants and restore them", async () => {
    memory.withheld = "keys_in_doubt";
    expect(await notify(agent)).toEqual({ refused: "scope_not_granted" });
    memory.withheld = null;
    expect(await notify(agent)).toHaveProperty("result");
  });

  it("applies only to its own agents, not to the hub's", async () => {
    const other = await client.addAgent();
    const stolen = await memory.call(other.id, "send_notification", { title: "x" });
    expect(stolen).toMatchObject({ status: "denied", reason: "tool_not_declared" });
    expect(client.platform.shown).toEqual([]);
  });

  it("ends the request of an agent that is gone, and asks nothing more for it", async () => {
    const call = write(agent);
    await client.waitingCard();
    memory.lose(agent.id);
    expect(await call).toEqual({ refused: "agent_disconnected" });
    expect(await write(agent)).toEqual({ refused: "agent_disconnected" });
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("ends a call that its agent cancels, at any time", async () => {
    const waiting = agent.call("write_clipboard", { text: "x" }, "call-1");
    await client.waitingCard();
    expect(await memory.giveUp(agent.id, "call-1")).toBe(true);
    expect(await waiting).toEqual({ refused: "cancelled" });
    memory.ready = new Promise(() => {});
    const early = agent.call("write_clipboard", { text: "x" }, "call-2");
    expect(await memory.giveUp(agent.id, "call-2")).toBe(true);
    expect(await early).toEqual({ refused: "cancelled" });
  });

  it("holds across a restart, and waiting calls are delivered again", async () => {
    const waiting = agent.call("write_clipboard", { text: "kept" }, "call-1");
    await client.waitingCard();
    await client.restart();
    expect(await waiting).toEqual({ refused: "put off" });
    const called = memory.call(agent.id, "write_clipboard", { text: "kept" }, "call-1");
    await client.answer("allow_once");
    expect(await called).toMatchObject({ status: "ok" });
    expect(client.platform.writes).toEqual(["kept"]);
  });

  it("learns what the person grants and revokes, and which agents they remove", async () => {
    const { id } = agent;
    await client.call("permissions.revoke_scope", { agent_id: id, scope: "notification:send" });
    await client.call("agents.remove", { agent_id: id });
    expect(memory.told).toEqual([`${id} has 3`, `${id} has 0`, `${id} let go`]);
  });
});
