import { afterEach, describe, expect, it } from "vitest";
import { CHAT_LIMITS } from "./chat/chat-request.ts";
import type { Asked, ScriptedTurn } from "./scripted-model/script.ts";
import { type HostUnderTest, startHost, TOOLS } from "./testing/start-host.ts";

let host: HostUnderTest | undefined;
afterEach(async () => {
  await host?.[Symbol.asyncDispose]();
  host = undefined;
});

const QUESTION = "候选人问:你们公司地址在哪?";
const REPLY = "您好!我们蜀地源冒菜位于上海市浦东新区XX路XX号。";
const SUMMARY = "已为您生成专业的回复。";

/** The first request in the API's description. */
const SAMPLE = {
  model: "anthropic/claude-3-7-sonnet-20250219",
  messages: [{ role: "user", content: QUESTION }],
  allowedTools: ["zhipin_reply_generator"],
  context: {
    preferredBrand: "蜀地源冒菜",
    configData: {
      city: "上海",
      brands: { 蜀地源冒菜: { address: "上海市浦东新区XX路XX号" } },
    },
    replyPrompts: { location_inquiry: "友好地告知公司地址,并询问是否需要路线指引" },
  },
};

/** Calls the tool, writes the reply when the tool asks for it, and summarizes. */
function recruiter({ user, results, tools }: Asked): ScriptedTurn {
  if (results.length > 0) return { text: SUMMARY };
  if (tools.length === 0) return { text: REPLY };
  return {
    calls: [
      {
        name: "zhipin_reply_generator",
        input: { candidate_message: user.slice("候选人问:".length), brand: "蜀地源冒菜" },
      },
    ],
  };
}

const once = { text: "Done." };

describe("a chat in one request", () => {
  it("gives the whole history in the form of the API's own sample", async () => {
    host = await startHost(recruiter);
    const { status, body } = await host.chat(SAMPLE);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        messages: [
          {
            id: "msg_001",
            role: "assistant",
            parts: [
              {
                type: "dynamic-tool",
                toolName: "zhipin_reply_generator",
                toolCallId: expect.stringMatching(/^toolu_/),
                state: "output-available",
                input: { candidate_message: "你们公司地址在哪?", brand: "蜀地源冒菜" },
                output: { reply: REPLY },
              },
            ],
          },
          {
            id: "msg_002",
            role: "assistant",
            parts: [{ type: "text", text: SUMMARY, state: "done" }],
          },
        ],
        usage: { inputTokens: 2, outputTokens: 2, totalTokens: 4 },
        tools: { used: ["zhipin_reply_generator"], skipped: [] },
      },
    });
  });

  it("has the tool write from the brand's data and prompts", async () => {
    host = await startHost(recruiter);
    await host.chat(SAMPLE);
    const told = JSON.stringify(host.model.bodies[1]);
    expect(told).toContain("上海市浦东新区XX路XX号");
    expect(told).toContain("友好地告知公司地址");
  });

  it.each(["anthropic/claude", "openai/gpt", "local/llama"])("works with %s", async (model) => {
    host = await startHost(recruiter);
    const { body } = await host.chat({ ...SAMPLE, model });
    expect(body).toMatchObject({ data: { tools: { used: ["zhipin_reply_generator"] } } });
  });

  it("takes an answer's messages back as history", async () => {
    host = await startHost(({ user }) =>
      user === "And now?" ? once : recruiter({ user, results: [], tools: [], toolChoice: null }),
    );
    const history = [
      { role: "user", content: "Where?" },
      {
        id: "msg_001",
        role: "assistant",
        parts: [
          {
            type: "dynamic-tool",
            toolName: "zhipin_reply_generator",
            toolCallId: "call_1",
            state: "output-available",
            input: { candidate_message: "Where?" },
            output: { reply: "Here." },
          },
          { type: "text", text: "It is here.", state: "done" },
        ],
      },
      { role: "user", content: "And now?" },
    ];
    const { status } = await host.chat({ ...SAMPLE, messages: history });
    expect(status).toBe(200);
    expect(JSON.stringify(host.model.bodies[0])).toContain("Here.");
  });

  it("counts a tool's failure as an output that the model reads", async () => {
    host = await startHost(({ results: [result] }) =>
      result === undefined
        ? {
            calls: [
              { name: "fails", input: {} },
              { name: "crashes", input: {} },
            ],
          }
        : once,
    );
    const { body } = await host.chat({ ...SAMPLE, allowedTools: ["fails", "crashes"] });
    expect(body.data.messages[0].parts).toMatchObject([
      { state: "output-available", output: { error: { code: "out_of_ink" } } },
      { state: "output-available", output: { error: { code: "tool_failed" } } },
    ]);
    expect(JSON.stringify(body)).not.toContain("secret of the tool");
  });

  it.each([
    ["an input that breaks the schema", { name: "echoes", input: { text: 7 } }, "invalid_input"],
    ["a tool that is not allowed", { name: "bash", input: {} }, "invalid_call"],
  ])("answers %s to the model", async (_, call, code) => {
    host = await startHost(({ results: [result] }) =>
      result === undefined ? { calls: [call] } : once,
    );
    const { body } = await host.chat({ ...SAMPLE, allowedTools: ["echoes"] });
    expect(body.data.messages[0].parts[0].output.error.code).toBe(code);
  });
});

describe("a context that is missing", () => {
  const lacking = { ...SAMPLE, context: {} };

  it("is refused with what is missing, in the API's own form", async () => {
    host = await startHost(recruiter);
    expect(await host.chat(lacking)).toMatchObject({
      status: 400,
      body: {
        error: "BadRequest",
        message: "Missing required context: configData, replyPrompts",
        details: {
          missingContext: ["configData", "replyPrompts"],
          tools: ["zhipin_reply_generator"],
        },
        statusCode: 400,
      },
    });
    expect(host.model.asked).toEqual([]);
  });

  it("has the tool skipped when it is asked for", async () => {
    host = await startHost(() => once);
    const { headers, body } = await host.chat({
      ...lacking,
      allowedTools: ["echoes", "zhipin_reply_generator"],
      contextStrategy: "skip",
    });
    expect(headers.get("X-Tools-Skipped")).toBe("zhipin_reply_generator");
    expect(body.data.tools).toEqual({ used: [], skipped: ["zhipin_reply_generator"] });
    expect(host.model.asked[0]?.tools).toEqual(["echoes"]);
  });

  it.each([{ contextStrategy: "report" }, { validateOnly: true }])(
    "is only reported with %j",
    async (how) => {
      host = await startHost(() => once);
      const { status, body } = await host.chat({
        ...lacking,
        allowedTools: ["echoes", "zhipin_reply_generator"],
        ...how,
      });
      expect(status).toBe(200);
      expect(body.data).toEqual({
        valid: false,
        model: SAMPLE.model,
        tools: [
          { name: "echoes", ready: true, missingContext: [] },
          {
            name: "zhipin_reply_generator",
            ready: false,
            missingContext: ["configData", "replyPrompts"],
          },
        ],
      });
      expect(host.model.asked).toEqual([]);
    },
  );

  it("may be given to one tool, over what all share", async () => {
    host = await startHost(({ results: [result] }) =>
      result === undefined ? { calls: [{ name: "tells_context", input: {} }] } : once,
    );
    const { body } = await host.chat({
      ...SAMPLE,
      allowedTools: ["tells_context"],
      context: { shared: 1, replyPrompts: { default: "a" } },
      toolContext: { tells_context: { replyPrompts: { general_chat: "b" } } },
    });
    expect(body.data.messages[0].parts[0].output).toEqual({
      shared: 1,
      replyPrompts: { general_chat: "b" },
    });
  });
});

describe("a run that does not come to its end", () => {
  const endless = (): ScriptedTurn => ({ calls: [{ name: "echoes", input: { text: "a" } }] });
  const asking = { ...SAMPLE, allowedTools: ["echoes"] };

  it("stops after 30 steps, the model's and the tools' together, and says so", async () => {
    host = await startHost(endless);
    const { status, body } = await host.chat(asking);
    expect(status).toBe(200);
    expect(body.data.unfinished).toEqual({ reason: "step_limit" });
    expect(host.model.asked).toHaveLength(15);
    expect(body.data.messages).toHaveLength(15);
  });

  it("runs no more of one turn's calls than there are steps", async () => {
    const calls = Array.from({ length: 40 }, () => ({ name: "echoes", input: { text: "a" } }));
    host = await startHost(() => ({ calls }));
    const { body } = await host.chat(asking);
    const outputs = body.data.messages[0].parts.map((part: { output: object }) => part.output);
    expect(outputs.filter((output: object) => "error" in output)).toHaveLength(11);
    expect(outputs[39]).toMatchObject({ error: { code: "step_limit" } });
  });

  it("returns what was done when its time is over", async () => {
    host = await startHost(
      ({ results }) => (results.length > 0 ? "silence" : { text: "First", ...endless() }),
      { runMs: 400 },
    );
    const { status, body } = await host.chat(asking);
    expect(status).toBe(200);
    expect(body.data.unfinished).toEqual({ reason: "timeout" });
    expect(body.data.messages[0].parts[0]).toMatchObject({ type: "text", text: "First" });
  });

  it("keeps what was done when the model fails later", async () => {
    host = await startHost(({ results }) => (results.length > 0 ? { status: 400 } : endless()));
    const { status, body } = await host.chat(asking);
    expect(status).toBe(200);
    expect(body.data.unfinished).toEqual({ reason: "model_error" });
    expect(body.data.tools.used).toEqual(["echoes"]);
  });

  it("tries a model again that is busy", async () => {
    let asked = 0;
    host = await startHost(() => {
      asked += 1;
      return asked < 3 ? { status: asked === 1 ? 429 : 503 } : once;
    });
    const { status, body } = await host.chat(asking);
    expect([status, asked]).toEqual([200, 3]);
    expect(body.data.unfinished).toBeUndefined();
  }, 20_000);

  it("is ended when the client goes away", async () => {
    host = await startHost(() => "silence");
    const abort = new AbortController();
    const gone = host.send(asking, abort.signal);
    await expect.poll(() => host?.model.asked.length).toBe(1);
    abort.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => host?.model.open).toBe(0);
  });
});

describe("a stream", () => {
  it("tells of words, tools and the end as they come", async () => {
    host = await startHost((asked) => recruiter(asked));
    const events = await host.stream({ ...SAMPLE, stream: true });
    const tool = events.filter(({ event }) => event === "tool").map(({ data }) => data);
    expect(tool).toMatchObject([
      {
        type: "tool.start",
        name: "zhipin_reply_generator",
        input: { candidate_message: "你们公司地址在哪?", brand: "蜀地源冒菜" },
      },
      {
        type: "tool.complete",
        name: "zhipin_reply_generator",
        state: "output-available",
        output: { reply: REPLY },
      },
    ]);
    const text = events.filter(({ event }) => event === "text").map(({ data }) => data.delta);
    expect(text.length).toBeGreaterThan(1);
    expect(text.join("")).toBe(SUMMARY);
    expect(events.at(-1)).toMatchObject({
      event: "done",
      data: { type: "done", tools: { used: ["zhipin_reply_generator"], skipped: [] } },
    });
  });

  it("tells how a tool gets on", async () => {
    host = await startHost(({ results: [result] }) =>
      result === undefined ? { calls: [{ name: "reports", input: {} }] } : once,
    );
    const events = await host.stream({ ...SAMPLE, allowedTools: ["reports"], stream: true });
    expect(events.map(({ data }) => data.type).slice(0, 3)).toEqual([
      "tool.start",
      "tool.output",
      "tool.complete",
    ]);
    expect(events[1]?.data).toMatchObject({ name: "reports", output: "half way" });
  });

  it("says when the model did not answer at all", async () => {
    host = await startHost(() => ({ status: 400 }));
    const events = await host.stream({ ...SAMPLE, stream: true });
    expect(events.map(({ event }) => event)).toEqual(["error", "done"]);
    expect(events[0]?.data).toMatchObject({ error: "BadGateway", statusCode: 502 });
    expect(events[1]?.data).toMatchObject({ unfinished: { reason: "model_error" } });
  });

  it("is refused like any other before it begins", async () => {
    host = await startHost(() => once);
    const { status } = await host.chat({ ...SAMPLE, context: {}, stream: true });
    expect(status).toBe(400);
  });
});

describe("what is refused", () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ["no object", [], ""],
    ["no model", { ...SAMPLE, model: undefined }, ""],
    ["a model without a provider", { ...SAMPLE, model: "gpt" }, "/model"],
    ["no messages", { ...SAMPLE, messages: [] }, "/messages"],
    [
      "a role nobody has",
      { ...SAMPLE, messages: [{ role: "boss", content: "a" }] },
      "/messages/0/role",
    ],
    [
      "content that is no text",
      { ...SAMPLE, messages: [{ role: "user", content: 7 }] },
      "/messages/0/content",
    ],
    ["a tool's name that is no text", { ...SAMPLE, allowedTools: [7] }, "/allowedTools/0"],
    ["a tool twice", { ...SAMPLE, allowedTools: ["echoes", "echoes"] }, "/allowedTools"],
    ["a context that is none", { ...SAMPLE, context: "a" }, "/context"],
    ["a strategy nobody knows", { ...SAMPLE, contextStrategy: "guess" }, "/contextStrategy"],
    ["a stream that is neither", { ...SAMPLE, stream: "yes" }, "/stream"],
    ["a field nobody knows", { ...SAMPLE, temperature: 1 }, ""],
  ];

  it.each(wrong)("%s, with its place", async (_, body, path) => {
    host = await startHost(() => once);
    const answer = await host.chat(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "BadRequest", statusCode: 400 },
    });
    const paths = answer.body.details.faults.map((fault: { path: string }) => fault.path);
    expect(paths).toContain(path);
  });

  it("what is no JSON", async () => {
    host = await startHost(() => once);
    expect(await host.chat("{")).toMatchObject({ status: 400, body: { error: "BadRequest" } });
  });

  it.each([
    ["a tool nobody has", { allowedTools: ["format_disk"] }, "Unknown tool: format_disk"],
    ["a provider nobody configured", { model: "nobody/x" }, "Unknown model: nobody/x"],
  ])("%s", async (_, over, message) => {
    host = await startHost(() => once);
    const { status, body } = await host.chat({ ...SAMPLE, ...over });
    expect([status, body.error, body.message]).toEqual([404, "NotFound", message]);
  });

  it("a model the provider does not have", async () => {
    host = await startHost(() => ({ status: 404 }));
    expect(await host.chat(SAMPLE)).toMatchObject({ status: 404, body: { error: "NotFound" } });
  });

  it("a model that does not answer", async () => {
    host = await startHost(() => ({ status: 401 }));
    expect(await host.chat(SAMPLE)).toMatchObject({
      status: 502,
      body: { error: "BadGateway", details: { modelStatus: 401 } },
    });
  });

  it("a body that is too large", async () => {
    host = await startHost(() => once);
    const content = "a".repeat(CHAT_LIMITS.bodyBytes);
    const { status, body } = await host.chat({ ...SAMPLE, messages: [{ role: "user", content }] });
    expect([status, body.error]).toEqual([413, "PayloadTooLarge"]);
  });

  it.each([undefined, "Bearer", "Bearer wrong", "Basic abc"])("a request with %j", async (auth) => {
    host = await startHost(() => once);
    const { status, body, headers } = await host.chat(SAMPLE, auth ?? "");
    expect([status, body.error]).toEqual([401, "Unauthorized"]);
    expect(headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it("more requests than a key may make, with the time to wait; another key goes on", async () => {
    host = await startHost(() => once, { requestsPerMinute: 2 });
    await host.chat(SAMPLE);
    await host.chat(SAMPLE);
    const { status, body, headers } = await host.chat(SAMPLE);
    expect([status, body.error]).toEqual([429, "TooManyRequests"]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    const other = await host.keys.add("other");
    expect((await host.chat(SAMPLE, `Bearer ${other}`)).status).toBe(200);
  });

  it("another method, and another address", async () => {
    host = await startHost(() => once);
    expect((await host.get("/api/v1/chat")).status).toBe(405);
    expect((await host.get("/api/v1/nothing")).status).toBe(404);
    expect((await host.get("/")).status).toBe(404);
  });
});

it("every tool is listed with what it needs", async () => {
  host = await startHost(() => once);
  const { body } = await host.get("/api/v1/tools");
  expect(body.data.tools.map(({ name }: { name: string }) => name)).toEqual([
    "bash",
    "zhipin_reply_generator",
    ...TOOLS.map(({ name }) => name),
  ]);
  expect(body.data.tools[1]).toMatchObject({
    requiredContext: ["configData", "replyPrompts"],
    inputSchema: { required: ["candidate_message"] },
  });
});
