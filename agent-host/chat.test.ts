import { describe, expect, it } from "vitest";
import { modelsOf } from "./providers.ts";
import type { Asked, ScriptedTurn } from "./scripted-model/script.ts";
import { chunk, failingProvider, type Sent } from "./testing/failing-provider.ts";
import { heldTimeLimit } from "./testing/held-time-limit.ts";
import { SAMPLE } from "./testing/sample-chat.ts";
import { callsOnce, startHost, TOOL } from "./testing/start-host.ts";
import type { HostTool } from "./tools/host-tool.ts";

const REPLY = "您好!我们蜀地源冒菜位于上海市浦东新区XX路XX号。";
const SUMMARY = "已为您生成专业的回复。";

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

/** What a client is sent for a provider that sends this. */
async function streamOf(sent: Sent) {
  await using provider = await failingProvider(sent);
  const findModel = modelsOf({ providers: { local: { baseUrl: provider.baseUrl } } });
  const host = await startHost(() => once, { findModel });
  return await host.stream({ ...SAMPLE, model: "local/any", stream: true });
}

describe("a chat in one request", () => {
  it("gives the whole history in the form of the API's own sample", async () => {
    const host = await startHost(recruiter);
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
        // Two turns of the model, and one that the tool asked for.
        usage: { inputTokens: 3, outputTokens: 3, totalTokens: 6 },
        tools: { used: ["zhipin_reply_generator"], skipped: [] },
      },
    });
  });

  it("has the tool write from the brand's data and prompts", async () => {
    const host = await startHost(recruiter);
    await host.chat(SAMPLE);
    const told = JSON.stringify(host.model.bodies[1]);
    expect(told).toContain("上海市浦东新区XX路XX号");
    expect(told).toContain("友好地告知公司地址");
  });

  it.each(["anthropic/claude", "openai/gpt", "local/llama"])("works with %s", async (model) => {
    const host = await startHost(recruiter);
    const { body } = await host.chat({ ...SAMPLE, model });
    expect(body).toMatchObject({ data: { tools: { used: ["zhipin_reply_generator"] } } });
  });

  it("takes an answer's messages back as history", async () => {
    const host = await startHost(({ user }) =>
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
    const calls = ["fails", "crashes"].map((name) => ({ name, input: {} }));
    const host = await startHost(({ results }) => (results.length === 0 ? { calls } : once));
    const { body } = await host.chat({ ...SAMPLE, allowedTools: ["fails", "crashes"] });
    expect(body.data.messages[0].parts).toMatchObject([
      { state: "output-available", output: { error: { code: "out_of_ink" } } },
      { state: "output-available", output: { error: { code: "tool_failed" } } },
    ]);
    expect(JSON.stringify(body)).not.toContain("secret of the tool");
  });

  it.each([
    ["an input that breaks the schema", { name: "echoes", input: { text: 7 } }, "invalid_input"],
    ["an input that is no JSON", { name: "echoes", input: '{"text": ' }, "arguments_not_json"],
    ["a tool that is not allowed", { name: "bash", input: {} }, "unknown_tool"],
    ["a tool that is not there", { name: "rm", input: {} }, "unknown_tool"],
  ])("answers %s to the model in words of its own", async (_, call, code) => {
    for (const stream of [false, true]) {
      const host = await startHost(callsOnce(call.name, call.input));
      const request = { ...SAMPLE, model: "local/any", allowedTools: ["echoes"] };
      const sent = stream
        ? await host.stream({ ...request, stream })
        : (await host.chat(request)).body.data.messages;
      const output = stream ? sent[1].data.output : sent[0].parts[0].output;
      expect(output).toEqual({ error: { code, message: expect.any(String) } });
      const [result] = host.model.asked[1]?.results ?? [];
      expect(JSON.parse(result?.text ?? "")).toEqual(output);
      expect(JSON.stringify([sent, host.model.bodies])).not.toMatch(
        /AI_|Model tried|Invalid input|parsing failed/,
      );
    }
  });

  it("counts a tool as used only if it was executed", async () => {
    const calls = [
      { name: "bash", input: {} },
      { name: "echoes", input: { text: 7 } },
      { name: "fails", input: {} },
      { name: "fails", input: {} },
      { name: "refuses", input: {} },
      { name: "crashes", input: {} },
    ];
    const host = await startHost(({ results }) => (results.length === 0 ? { calls } : once));
    const allowedTools = ["echoes", "fails", "refuses", "crashes"];
    const { body } = await host.chat({ ...SAMPLE, allowedTools });
    expect(body.data.tools.used).toEqual(["fails", "crashes"]);
  });
});

describe("a context that is missing", () => {
  const lacking = { ...SAMPLE, context: {} };

  it("is refused with what is missing, in the API's own form", async () => {
    const host = await startHost(recruiter);
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
    const host = await startHost(() => once);
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
      const host = await startHost(() => once);
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
    const host = await startHost(callsOnce("tells_context"));
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

describe("a stream", () => {
  it("tells of words and tools while the tool still runs", async () => {
    const { promise: untilHeard, resolve: hear } = Promise.withResolvers<void>();
    const waits: HostTool = {
      ...TOOL,
      name: "waits",
      async execute(_, { report }) {
        report("half way");
        await untilHeard;
        return "there";
      },
    };
    const host = await startHost(
      ({ results }) =>
        results.length > 0 ? once : { text: "I look.", calls: [{ name: "waits", input: {} }] },
      { tools: new Map([["waits", waits]]) },
    );
    const sent = await host.send({ ...SAMPLE, allowedTools: ["waits"], stream: true });
    const decoder = new TextDecoder();
    let told = "";
    for await (const bytes of sent.body ?? []) {
      told += decoder.decode(bytes, { stream: true });
      // The tool ends only after this was read.
      if (told.includes('"tool.output"')) hear();
    }
    const types = [...told.matchAll(/^data: {"type":"([^"]+)"/gm)].map(([, type]) => type);
    expect([...new Set(types)]).toEqual([
      ...["text.delta", "tool.start", "tool.output", "tool.complete", "done"],
    ]);
  });

  it("tells of words, tools and the end", async () => {
    const host = await startHost(recruiter);
    const events = await host.stream({ ...SAMPLE, stream: true });
    const tool = events.filter(({ event }) => event === "tool").map(({ data }) => data);
    expect(tool).toMatchObject([
      {
        type: "tool.start",
        name: "zhipin_reply_generator",
        input: { candidate_message: "你们公司地址在哪?", brand: "蜀地源冒菜" },
      },
      { type: "tool.output", name: "zhipin_reply_generator", output: "生成中..." },
      {
        type: "tool.complete",
        name: "zhipin_reply_generator",
        state: "output-available",
        output: { reply: REPLY },
      },
    ]);
    expect(events.at(-1)?.data.usage).toEqual({ inputTokens: 3, outputTokens: 3, totalTokens: 6 });
    const text = events.filter(({ event }) => event === "text").map(({ data }) => data.delta);
    expect(text.length).toBeGreaterThan(1);
    expect(text.join("")).toBe(SUMMARY);
    expect(events.at(-1)).toMatchObject({
      event: "done",
      data: { type: "done", tools: { used: ["zhipin_reply_generator"], skipped: [] } },
    });
  });

  it("tells how a tool gets on", async () => {
    const host = await startHost(callsOnce("reports"));
    const events = await host.stream({ ...SAMPLE, allowedTools: ["reports"], stream: true });
    expect(events.map(({ data }) => data.type).slice(0, 3)).toEqual([
      "tool.start",
      "tool.output",
      "tool.complete",
    ]);
    expect(events[1]?.data).toMatchObject({ name: "reports", output: "half way" });
  });

  it("says when the model did not answer at all", async () => {
    const host = await startHost(() => ({ status: 400 }));
    const events = await host.stream({ ...SAMPLE, stream: true });
    expect(events.map(({ event }) => event)).toEqual(["error", "done"]);
    expect(events[0]?.data).toMatchObject({ error: "BadGateway", statusCode: 502 });
    expect(events[1]?.data).toMatchObject({ unfinished: { reason: "model_error" } });
  });

  it("ends with what was said and why it is unfinished when the connection to the model is lost", async () => {
    const events = await streamOf({ body: chunk("Half an ") + chunk("answer"), isCut: true });
    expect(events.map(({ data }) => data.delta)).toEqual(["Half an ", "answer", undefined]);
    expect(events.at(-1)).toMatchObject({
      event: "done",
      data: { unfinished: { reason: "model_error" } },
    });
  });

  it.each([
    ["a page", { body: "<html>It works!</html>", type: "text/html" }],
    ["other JSON", { body: '{"foo":"bar"}', type: "application/json" }],
    ["nothing", { body: "data: [DONE]\n\n" }],
  ])("says that the model did not answer where it sends %s", async (_, sent) => {
    const events = await streamOf(sent);
    expect(events.map(({ event }) => event)).toEqual(["error", "done"]);
    expect(events[0]?.data).toMatchObject({ error: "BadGateway", statusCode: 502 });
  });

  it("tells no error where its time is over", async () => {
    const endTwoMinutes = heldTimeLimit();
    const host = await startHost(() => "silence");
    const events = host.stream({ ...SAMPLE, stream: true });
    await expect.poll(() => host.model.asked.length).toBe(1);
    endTwoMinutes();
    expect(await events).toMatchObject([
      { event: "done", data: { unfinished: { reason: "timeout" } } },
    ]);
  });

  it("is refused like any other before it begins", async () => {
    const host = await startHost(() => once);
    const { status } = await host.chat({ ...SAMPLE, context: {}, stream: true });
    expect(status).toBe(400);
  });
});
