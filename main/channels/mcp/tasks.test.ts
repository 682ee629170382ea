import { Client as NewClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Task, TaskStatusSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { LocalAgent } from "./testing/local-agent.ts";
import { RawHttp } from "./testing/raw-http.ts";
import { oldClient } from "./testing/stdio-client.ts";

const SCOPES = ["clipboard:write", "notification:send"];
const HOUR_MS = 3_600_000;

let client: LaunchedClient;
beforeEach(async () => {
  client = await LaunchedClient.start();
});
afterEach(() => client.end());

async function paired(name?: string): Promise<RawHttp> {
  const agent = new LocalAgent(client, name);
  await agent.paired(SCOPES);
  agent.close();
  return RawHttp.of(client, agent.token);
}
const write = (text = "text") => ({ name: "write_clipboard", arguments: { text } });
const outcome = (word: JsonObject) => ({ _meta: { "consentry/outcome": word } });

describe("a task of revision 2025-11-25", () => {
  it("is made at once, is working while the person is asked, and gives its answer as often as it is asked for", async () => {
    const mcp = await paired();
    const task = await mcp.oldTask({ ...write(), task: { ttl: 2 * HOUR_MS } });
    expect(task).toEqual({
      taskId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "working",
      statusMessage: "The person has not answered yet.",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUpdatedAt: task.createdAt,
      ttl: 2 * HOUR_MS,
      pollInterval: 2000,
    });
    const { taskId } = task;
    expect(await mcp.old("tasks/get", { taskId })).toMatchObject({ taskId, status: "working" });
    const result = mcp.old("tasks/result", { taskId });
    await client.answer("allow_once");
    const answer = {
      structuredContent: expect.anything(),
      _meta: {
        "consentry/outcome": { status: "ok" },
        "io.modelcontextprotocol/related-task": { taskId },
      },
    };
    expect(await result).toMatchObject(answer);
    expect(await mcp.old("tasks/result", { taskId })).toMatchObject(answer);
    expect(await mcp.old("tasks/get", { taskId })).toMatchObject({ status: "completed" });
    expect(await mcp.old("tasks/list")).toMatchObject({ tasks: [{ taskId }] });
    expect(client.platform.writes).toEqual(["text"]);
  });

  it.each([
    ["denied", "failed", { status: "denied", reason: "user_refused" }],
    ["cancelled by the client", "cancelled", { status: "error", reason: "cancelled" }],
    ["withdrawn", "failed", { status: "denied", reason: "permission_revoked" }],
  ])("that is %s ends as %s, with an answer of its own", async (how, status, word) => {
    const mcp = await paired();
    const { taskId } = await mcp.oldTask(write());
    await client.waitingCard();
    if (how === "denied") await client.answer("deny");
    else if (how === "withdrawn") {
      const [known] = (await client.snapshot()).agents;
      const agent_id = known?.agent_id ?? "";
      await client.call("permissions.revoke_scope", { agent_id, scope: "clipboard:write" });
    } else {
      expect(await mcp.old("tasks/cancel", { taskId })).toMatchObject({ taskId, status });
      await client.cards(0);
    }
    expect(await mcp.old("tasks/result", { taskId })).toMatchObject({
      isError: true,
      ...outcome(word),
    });
    expect(await mcp.old("tasks/get", { taskId })).toMatchObject({ status });
    expect(await mcp.oldError("tasks/cancel", { taskId })).toBe(-32602);
    expect(client.platform.writes).toEqual([]);
  });

  it("is what an identical call gets until somebody has its answer", async () => {
    const mcp = await paired();
    const made = () => mcp.oldTask(write());
    const { taskId } = await made();
    await client.waitingCard();
    expect(await made()).toMatchObject({ taskId });
    expect(await client.cards(1)).toHaveLength(1);
    await client.answer("allow_once");
    await mcp.old("tasks/result", { taskId });
    expect((await made()).taskId).not.toBe(taskId);
    await client.cards(1);
    expect(client.platform.writes).toEqual(["text"]);
  });

  it("goes on when the request that waits for its result ends", async () => {
    const agent = new LocalAgent(client);
    await agent.paired(SCOPES);
    const { task } = await agent.ask("tools/call", { ...write(), task: {} });
    const taskId = isJsonObject(task) ? String(task.taskId) : "";
    await client.waitingCard();
    const stop = new AbortController();
    void agent.ask("tasks/result", { taskId }, { signal: stop.signal });
    stop.abort();
    expect(await agent.ask("tasks/get", { taskId })).toMatchObject({ status: "working" });
    await client.answer("allow_once");
    expect(await agent.ask("tasks/result", { taskId })).toMatchObject(outcome({ status: "ok" }));
  });

  it("shows that its agent is there while a request waits for its result, and for a while after it", async () => {
    const mcp = await paired();
    const online = async () => {
      await fetch(mcp.url);
      return (await client.snapshot()).agents.map((agent) => agent.online);
    };
    const { taskId } = await mcp.oldTask(write());
    const result = mcp.old("tasks/result", { taskId });
    // On another connection, whose program is looked up first: by its answer, the one above has come.
    await mcp.old("tasks/get", { taskId });
    client.time.jump(660_000);
    expect(await online()).toEqual([true]);
    await client.answer("allow_once");
    await result;
    expect(await online()).toEqual([true]);
  });

  it("is kept for an hour at least and a day at most", async () => {
    const mcp = await paired();
    const ttlOf = async (text: string, ttl: number) =>
      (await mcp.oldTask({ ...write(text), task: { ttl } })).ttl;
    expect(await ttlOf("one", 1)).toBe(HOUR_MS);
    expect(await ttlOf("two", 1000 * HOUR_MS)).toBe(24 * HOUR_MS);
  });

  it("of an agent is unknown to every other", async () => {
    const mcp = await paired();
    const { taskId } = await mcp.oldTask(write());
    const other = await paired("Other agent");
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
      expect(await other.oldError(method, { taskId })).toBe(-32602);
      expect(await mcp.oldError(method, { taskId: "unknown" })).toBe(-32602);
    }
    expect(await other.old("tasks/list")).toEqual({ tasks: [] });
    expect(await mcp.oldError("tasks/list", { cursor: "x" })).toBe(-32602);
    expect(await client.cards(1)).toHaveLength(1);
  });

  it("is offered for the agent's tools and for none of the others", async () => {
    const mcp = await paired();
    const tools = (await mcp.old("tools/list")).tools as readonly JsonObject[];
    const supports = tools.map(({ name, execution }) => [name, execution] as const);
    expect(Object.fromEntries(supports)).toEqual({
      write_clipboard: { taskSupport: "optional" },
      send_notification: { taskSupport: "optional" },
      request_permission: undefined,
      collect_answer: undefined,
    });
    const params = { name: "request_permission", arguments: { permissions: [] }, task: {} };
    expect(await mcp.oldError("tools/call", params)).toBe(-32601);
  });
});

describe("a task of the extension of revision 2026-07-28", () => {
  it("is made only of what is not answered soon", async () => {
    const mcp = await paired();
    const shown = { name: "send_notification", arguments: { title: "Hello" } };
    expect(await mcp.modern("tools/call", shown)).toMatchObject({
      resultType: "complete",
      structuredContent: { shown: true },
    });
    const made = await mcp.modernTask(client, write());
    expect(made).toMatchObject({
      resultType: "task",
      status: "working",
      ttlMs: HOUR_MS,
      pollIntervalMs: 2000,
    });
    expect(made).not.toHaveProperty("content");
    expect(made).not.toHaveProperty("task");
  });

  it.each([
    ["allow_once", "completed", { result: outcome({ status: "ok" }) }],
    [
      "deny",
      "completed",
      { result: { isError: true, ...outcome({ status: "denied", reason: "user_refused" }) } },
    ],
  ] as const)("after %s is %s, and has its result in it", async (answer, status, more) => {
    const mcp = await paired();
    const { taskId } = await mcp.modernTask(client, write());
    const get = () => mcp.modern("tasks/get", { taskId });
    expect(await get()).toMatchObject({ resultType: "complete", taskId, status: "working" });
    expect(await get()).not.toHaveProperty("result");
    await client.answer(answer);
    const ended = await eventually(async () => {
      const task = await get();
      return task.status === "working" ? undefined : task;
    });
    expect(ended).toMatchObject({ resultType: "complete", status, ...more });
    expect(JSON.stringify(ended)).not.toContain("related-task");
  });

  it("is cancelled with an empty answer, once or twice", async () => {
    const mcp = await paired();
    const { taskId } = await mcp.modernTask(client, write());
    const cancel = () => mcp.modern("tasks/cancel", { taskId });
    expect(await cancel()).not.toHaveProperty("status");
    await client.cards(0);
    const got = await mcp.modern("tasks/get", { taskId });
    expect(got).toMatchObject({ status: "cancelled" });
    expect(got).not.toHaveProperty("result");
    expect(await cancel()).toMatchObject({ resultType: "complete" });
    expect(await mcp.modern("tasks/update", { taskId, inputResponses: {} })).toMatchObject({
      resultType: "complete",
    });
    expect(client.platform.writes).toEqual([]);
  });

  it("is nothing for a client that does not say that it knows it, and unknown to another agent", async () => {
    const mcp = await paired();
    const { taskId } = await mcp.modernTask(client, write());
    const other = await paired("Other agent");
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const params = { taskId, inputResponses: {} };
      expect(await mcp.modernError(method, params, "knows no tasks")).toBe(-32021);
      expect(await other.modernError(method, params)).toBe(-32602);
    }
    expect(await mcp.modernError("tasks/list", {})).toBe(-32601);
    expect(await mcp.modernError("tasks/result", { taskId })).toBe(-32601);
    expect(await client.cards(1)).toHaveLength(1);
  });

  it("is advertised as an extension, and not as the older revision's", async () => {
    const mcp = await paired();
    const { capabilities } = await mcp.modern("server/discover", {});
    expect(capabilities).toMatchObject({ extensions: { "io.modelcontextprotocol/tasks": {} } });
    expect(capabilities).not.toHaveProperty("tasks");
  });
});

describe("the official clients", () => {
  it("of line 1.x, over stdio, make a task, watch it, and get its result", async () => {
    const mcp = await oldClient({ dataDir: client.dataDir, config: `${client.dataDir}-clients` });
    await mcp.listTools();
    const { pairing_id } = await eventually(async () => (await client.snapshot()).pairings[0]);
    await client.call("pairing.answer", { pairing_id, accept: true, granted_scopes: SCOPES });
    await eventually(async () => ((await mcp.listTools()).tools.length > 2 ? true : undefined));
    const seen: Task["status"][] = [];
    const stream = mcp.experimental.tasks.callToolStream(write(), undefined, { task: {} });
    for await (const message of stream) {
      if (message.type === "taskCreated") void client.answer("allow_once");
      if (message.type === "taskStatus") seen.push(message.task.status);
      if (message.type === "error") throw message.error;
      if (message.type === "result")
        expect(message.result).toMatchObject(outcome({ status: "ok" }));
    }
    expect(TaskStatusSchema.parse(seen.at(-1))).toBe("completed");
    expect(client.platform.writes).toEqual(["text"]);
    await mcp.close();
  });

  it("of line 2, which know no tasks, get the answer itself", async () => {
    const { url, headers } = await paired();
    const mcp = new NewClient(
      { name: "New", version: "2" },
      { versionNegotiation: { mode: "auto" } },
    );
    await mcp.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const answer = mcp.callTool(write());
    await client.answer("allow_once");
    expect(await answer).toMatchObject(outcome({ status: "ok" }));
    await mcp.close();
  });
});
