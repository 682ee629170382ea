import type Anthropic from "@anthropic-ai/sdk";
import { jsonSchema, type ToolSet } from "ai";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import { WEB_MANIFEST } from "../testing/web-manifest.ts";
import {
  aiSdkToolChoice,
  aiSdkTools,
  anthropicToolChoice,
  anthropicTools,
  modelTools,
  openAiChatToolChoice,
  openAiChatTools,
  openAiChatTurn,
  openAiResponsesToolChoice,
  openAiResponsesTools,
  openAiResponsesTurn,
  type ToolChoice,
  ToolRunner,
} from "./index.ts";

const tools = modelTools(WEB_MANIFEST);
const [fetchUrl] = WEB_MANIFEST.tools;

/** A manifest with one tool, changed; another implementation of the hub may accept what this one refuses. */
const withTool = (over: Readonly<Record<string, unknown>>): Manifest => ({
  ...WEB_MANIFEST,
  tools: [{ ...fetchUrl, ...over } as Manifest["tools"][number]],
});

describe("definitions", () => {
  it("are what Anthropic's Messages API takes", () => {
    const made: Anthropic.Tool[] = anthropicTools(tools);
    expect(made[0]).toEqual({
      name: "fetch_url",
      description: "Fetch a web page",
      input_schema: fetchUrl?.input_schema,
    });
  });

  it("are what OpenAI's Chat Completions take", () => {
    const made: OpenAI.Chat.Completions.ChatCompletionFunctionTool[] = openAiChatTools(tools);
    expect(made[0]).toEqual({
      type: "function",
      function: {
        name: "fetch_url",
        description: "Fetch a web page",
        parameters: fetchUrl?.input_schema,
      },
    });
  });

  it("are what OpenAI's Responses take", () => {
    const made: OpenAI.Responses.FunctionTool[] = openAiResponsesTools(tools);
    expect(made[0]).toEqual({
      type: "function",
      name: "fetch_url",
      description: "Fetch a web page",
      parameters: fetchUrl?.input_schema,
      strict: false,
    });
  });

  it("are what the AI SDK takes", () => {
    const runner = new ToolRunner({ tools, call: async () => null });
    const made: ToolSet = aiSdkTools(tools, runner, jsonSchema<JsonObject>);
    expect(Object.keys(made)).toEqual(["fetch_url", "send_notification", "get_location"]);
    expect(made.fetch_url?.description).toBe("Fetch a web page");
  });

  it("offer only the tools that are named", () => {
    expect(modelTools(WEB_MANIFEST, { only: ["get_location"] }).map(({ name }) => name)).toEqual([
      "get_location",
    ]);
  });
});

describe("the description a model reads", () => {
  it.each([
    ["the developer's text for it", { description_fallback: "b" }, { fetch_url: "a" }, "a"],
    ["the manifest's text for models", { description: "m", description_fallback: "b" }, {}, "m"],
    ["the manifest's text for people", { description_fallback: "b" }, {}, "b"],
    ["its name in words", { description_fallback: undefined }, {}, "fetch url"],
    ["never an empty text", { description_fallback: " " }, { fetch_url: "" }, "fetch url"],
  ])("is %s", (_, over, descriptions, expected) => {
    const [tool] = modelTools(withTool(over), { descriptions });
    expect(tool?.description).toBe(expected);
  });

  it("says what the schema's top keywords would, which model APIs refuse", () => {
    const oneOf = [{ required: ["url"] }, { required: ["host"] }];
    const [tool] = modelTools(withTool({ input_schema: { oneOf, properties: { url: {} } } }));
    expect(tool?.inputSchema).toEqual({ type: "object", properties: { url: {} } });
    expect(tool?.description).toContain(JSON.stringify({ oneOf }));
    expect(tool?.check({ url: "a", host: "b" })).toMatchObject({ keyword: "oneOf" });
  });

  it("says of each argument what the tool's own schema says", () => {
    const properties = { url: { type: "string", description: "Where to look" } };
    const [tool] = modelTools(withTool({ input_schema: { properties } }));
    expect(tool?.inputSchema).toEqual({ type: "object", properties });
  });

  it("leaves every argument in the schema, whichever alternative names it", () => {
    const text = { type: "string" };
    const anyOf = [
      { properties: { path: text, from: { type: "integer" } } },
      { properties: { path: text, from: text }, required: ["from"] },
    ];
    const [tool] = modelTools(withTool({ input_schema: { anyOf } }));
    expect(tool?.inputSchema).toEqual({
      type: "object",
      properties: { path: text, from: { anyOf: [{ type: "integer" }, text] } },
    });
  });
});

describe("a name that model APIs refuse", () => {
  const named = (...names: string[]) =>
    modelTools({
      ...WEB_MANIFEST,
      tools: names.map((name) => ({ ...fetchUrl, name }) as Manifest["tools"][number]),
    });

  it.each([
    ["fs.read file", "fs_read_file"],
    ["datei-lesen", "datei-lesen"],
    ["x".repeat(65), "x".repeat(64)],
    ["", "tool"],
  ])("%j becomes %j", (name, modelName) => {
    expect(named(name)[0]).toMatchObject({ name, modelName });
  });

  it("never becomes another tool's", () => {
    const names = named("a.b", "a_b", "a b", "x".repeat(70), "x".repeat(80)).map(
      ({ modelName }) => modelName,
    );
    expect(names).toEqual(["a_b_2", "a_b", "a_b_3", "x".repeat(64), `${"x".repeat(62)}_2`]);
  });

  it("maps the model's calls back to the tool", async () => {
    const runner = new ToolRunner({ tools: named("fs.read"), call: async (name) => name });
    const input = { url: "a" };
    const outcome = await runner.run({ id: "1", modelName: "fs_read", input });
    expect(outcome).toMatchObject({ isError: false, result: "fs.read" });
  });
});

describe("tool_choice", () => {
  const choices: readonly ToolChoice[] = [
    { mode: "auto" },
    { mode: "any" },
    { mode: "tool", name: "get_location" },
    { mode: "none" },
  ];

  it("has its four modes in each API", () => {
    const anthropic: Anthropic.ToolChoice[] = choices.map((each) =>
      anthropicToolChoice(each, tools),
    );
    expect(anthropic).toEqual([
      { type: "auto" },
      { type: "any" },
      { type: "tool", name: "get_location" },
      { type: "none" },
    ]);
    const chat: OpenAI.Chat.Completions.ChatCompletionToolChoiceOption[] = choices.map((each) =>
      openAiChatToolChoice(each, tools),
    );
    const withNamed = (named: object) => ["auto", "required", named, "none"];
    expect(chat).toEqual(withNamed({ type: "function", function: { name: "get_location" } }));
    const responses: OpenAI.Responses.ResponseCreateParams["tool_choice"][] = choices.map((each) =>
      openAiResponsesToolChoice(each, tools),
    );
    expect(responses).toEqual(withNamed({ type: "function", name: "get_location" }));
    expect(choices.map((each) => aiSdkToolChoice(each, tools))).toEqual(
      withNamed({ type: "tool", toolName: "get_location" }),
    );
  });

  it("of a tool that is not offered is refused at once", () => {
    expect(() => anthropicToolChoice({ mode: "tool", name: "nothing" }, tools)).toThrow(
      "tool_not_offered",
    );
  });
});

describe("a call that a server sends without arguments", () => {
  it("is read as one that has none, in each of OpenAI's APIs", () => {
    const name = "get_location";
    const call = { id: "1", type: "function", function: { name } };
    const chat = openAiChatTurn({ choices: [{ message: { content: null, tool_calls: [call] } }] });
    const item = { type: "function_call", call_id: "1", name };
    for (const { calls } of [chat, openAiResponsesTurn({ output: [item] })]) {
      expect(calls).toEqual([{ id: "1", modelName: name, input: {} }]);
    }
  });
});
