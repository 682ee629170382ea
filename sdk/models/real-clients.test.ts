import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, isStepCount, jsonSchema, type LanguageModel, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type RecordedModel,
  recordedModel,
} from "../../agent-host/scripted-model/recorded-model.ts";
import type { Asked, ScriptedTurn } from "../../agent-host/scripted-model/script.ts";
import { denied } from "../../app/contract/codes.ts";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { LivedInHub } from "../testing/lived-in-hub.ts";
import type { ScriptedPerson } from "../testing/scripted-person.ts";
import { WEB_MANIFEST } from "../testing/web-manifest.ts";
import {
  aiSdkTools,
  anthropicResults,
  anthropicStream,
  anthropicToolChoice,
  anthropicTools,
  anthropicTurn,
  type ModelTurn,
  modelTools,
  openAiChatResults,
  openAiChatStream,
  openAiChatToolChoice,
  openAiChatTools,
  openAiChatTurn,
  openAiResponsesResults,
  openAiResponsesStream,
  openAiResponsesToolChoice,
  openAiResponsesTools,
  openAiResponsesTurn,
  structuredOutput,
  ToolRunner,
} from "./index.ts";

const tools = modelTools(WEB_MANIFEST, {
  descriptions: { fetch_url: "Fetch a web page and return its body as text." },
});
const PAGE = { status_code: 200, body: "Example Domain" };
const SILENT_URL = "https://silent.example/";

/**
 * The conversation of the protocol's own demonstration: a page is requested, fetched and summarized;
 * another is refused; a third gets no answer. The model reads only what it is given.
 */
function script({ user, results }: Asked): ScriptedTurn {
  const [result] = results;
  if (result !== undefined) {
    const { text } = result;
    if (text.includes("user_refused")) return { text: "All right, I have cancelled the request." };
    if (text.includes("call_timeout")) {
      return { text: "You have not answered. Do you still want it?" };
    }
    return { text: `The page says: ${(JSON.parse(text) as typeof PAGE).body}.` };
  }
  const urls = user.match(/https:[^ ?]+/g);
  if (urls === null) return { calls: [{ name: "submit_answer", input: { city: user } }] };
  return { text: "One moment.", calls: urls.map((url) => ({ name: "fetch_url", input: { url } })) };
}

const hub = new LivedInHub();
let model: RecordedModel;
let person: ScriptedPerson;
let runner: ToolRunner;

beforeAll(async () => {
  model = await recordedModel(script);
  await hub.start();
  person = await hub.arrived(({ arguments: { url } }) => {
    if (url === SILENT_URL) return null;
    return String(url).includes("other") ? denied("user_refused") : { status: "ok", result: PAGE };
  });
  const { agent, credentials } = await hub.pair({ manifest: WEB_MANIFEST });
  runner = new ToolRunner({
    tools,
    call: (name, args: JsonObject, options): Promise<JsonValue> =>
      agent.callTool(credentials.conversationId, name, args, {
        ...options,
        timeoutMs: args.url === SILENT_URL ? 300 : 30_000,
      }),
  });
});

afterAll(async () => {
  await hub.end();
  await model[Symbol.asyncDispose]();
});

beforeEach(() => void person.calls.splice(0));

type Ask = (question: string) => Promise<string>;

/** As long as the model calls tools, no longer than ten turns. */
const asks =
  <Message>(
    turn: (history: Message[]) => Promise<ModelTurn<Message>>,
    results: (outcomes: Awaited<ReturnType<ToolRunner["runAll"]>>) => readonly Message[],
  ) =>
  async (content: string): Promise<string> => {
    const history = [{ role: "user", content } as Message];
    for (let turns = 0; turns < 10; turns += 1) {
      const { text, calls, messages } = await turn(history);
      if (calls.length === 0) return text;
      history.push(...messages, ...results(await runner.runAll(calls)));
    }
    throw new Error("the model never came to an end");
  };

async function assembled<Event, Whole>(
  stream: { push(event: Event): unknown; turn(): Whole },
  events: AsyncIterable<Event>,
): Promise<Whole> {
  for await (const event of events) stream.push(event);
  return stream.turn();
}

const anthropic = () => new Anthropic({ baseURL: model.url, apiKey: "none", maxRetries: 0 });
const openai = () => new OpenAI({ baseURL: `${model.url}/v1`, apiKey: "none", maxRetries: 0 });
const settings = { model: "scripted", max_tokens: 1_000 };

const messages = (history: Anthropic.MessageParam[]) => ({
  ...settings,
  messages: history,
  tools: anthropicTools(tools),
});
const chat = (history: OpenAI.Chat.ChatCompletionMessageParam[]) => ({
  model: "scripted",
  messages: history,
  tools: openAiChatTools(tools),
});
const response = (input: OpenAI.Responses.ResponseInputItem[]) => ({
  model: "scripted",
  input,
  tools: openAiResponsesTools(tools),
});
/** The client's own types keep some kinds of items apart that the API takes back as they are. */
const asInput = (turn: ModelTurn<OpenAI.Responses.ResponseOutputItem>) =>
  turn as ModelTurn<OpenAI.Responses.ResponseInputItem>;
const stream = true;

const ASK: Readonly<Record<string, Ask>> = {
  "Anthropic's client": asks<Anthropic.MessageParam>(
    async (history) => anthropicTurn(await anthropic().messages.create(messages(history))),
    anthropicResults,
  ),
  "Anthropic's client, streaming": asks<Anthropic.MessageParam>(async (history) => {
    const events = await anthropic().messages.create({ ...messages(history), stream });
    return assembled(anthropicStream(), events);
  }, anthropicResults),
  "OpenAI's client, Chat Completions": asks<OpenAI.Chat.ChatCompletionMessageParam>(
    async (history) => openAiChatTurn(await openai().chat.completions.create(chat(history))),
    openAiChatResults,
  ),
  "OpenAI's client, Chat Completions, streaming": asks<OpenAI.Chat.ChatCompletionMessageParam>(
    async (history) => {
      const chunks = await openai().chat.completions.create({ ...chat(history), stream });
      return assembled(openAiChatStream(), chunks);
    },
    openAiChatResults,
  ),
  "OpenAI's client, Responses": asks<OpenAI.Responses.ResponseInputItem>(
    async (input) => asInput(openAiResponsesTurn(await openai().responses.create(response(input)))),
    openAiResponsesResults,
  ),
  "OpenAI's client, Responses, streaming": asks<OpenAI.Responses.ResponseInputItem>(
    async (input) => {
      const events = await openai().responses.create({ ...response(input), stream });
      return asInput(
        await assembled(openAiResponsesStream<OpenAI.Responses.ResponseOutputItem>(), events),
      );
    },
    openAiResponsesResults,
  ),
  "the AI SDK with Anthropic": (prompt) => generated(claude(), prompt),
  "the AI SDK with Anthropic, streaming": (prompt) => streamed(claude(), prompt),
  "the AI SDK with OpenAI": (prompt) => generated(gpt(), prompt),
  "the AI SDK with OpenAI, streaming": (prompt) => streamed(gpt(), prompt),
};

const claude = (): LanguageModel =>
  createAnthropic({ baseURL: `${model.url}/v1`, apiKey: "none" })("scripted");
const gpt = (): LanguageModel =>
  createOpenAI({ baseURL: `${model.url}/v1`, apiKey: "none" })("scripted");
const request = (languageModel: LanguageModel, prompt: string) => ({
  model: languageModel,
  prompt,
  tools: aiSdkTools(tools, runner, jsonSchema<JsonObject>),
  stopWhen: isStepCount(10),
  maxOutputTokens: 1_000,
  maxRetries: 0,
});

const generated = async (languageModel: LanguageModel, prompt: string): Promise<string> =>
  (await generateText(request(languageModel, prompt))).text;

const streamed = async (languageModel: LanguageModel, prompt: string): Promise<string> =>
  streamText(request(languageModel, prompt)).text;

describe.each(Object.entries(ASK))("with %s", (_, ask) => {
  it("the model fetches the page that the person allows, and answers with it", async () => {
    expect(await ask("What does https://example.com/ say?")).toBe("The page says: Example Domain.");
    expect(person.calls.map((call) => call.arguments)).toEqual([{ url: "https://example.com/" }]);
  });

  it("the model learns that the person said no, and does not ask twice", async () => {
    expect(await ask("Now fetch https://other.com/")).toBe(
      "All right, I have cancelled the request.",
    );
    expect(person.calls).toHaveLength(1);
  });

  it("the model learns that the person never answered", async () => {
    expect(await ask(`Fetch ${SILENT_URL}`)).toBe("You have not answered. Do you still want it?");
  });

  it("two calls of one turn each get their own result", async () => {
    await ask("Compare https://example.com/a and https://other.com/b");
    const { results } = model.asked.at(-1) ?? { results: [] };
    expect(results.map(({ text }) => text)).toEqual([
      JSON.stringify(PAGE),
      expect.stringContaining("user_refused: The person said no"),
    ]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(2);
  });
});

describe("an answer in a fixed form", () => {
  const city = structuredOutput("submit_answer", "Give the answer.", {
    type: "object",
    properties: { city: { type: "string", maxLength: 20 } },
    required: ["city"],
    additionalProperties: false,
  });
  const offered = [city];
  const content = "Kyoto";

  it("is read from each API's forced call", async () => {
    const turns = [
      anthropicTurn(
        await anthropic().messages.create({
          ...settings,
          messages: [{ role: "user", content }],
          tools: anthropicTools(offered),
          tool_choice: anthropicToolChoice(city.choice, offered),
        }),
      ),
      openAiChatTurn(
        await openai().chat.completions.create({
          model: "scripted",
          messages: [{ role: "user", content }],
          tools: openAiChatTools(offered),
          tool_choice: openAiChatToolChoice(city.choice, offered),
        }),
      ),
      openAiResponsesTurn(
        await openai().responses.create({
          model: "scripted",
          input: content,
          tools: openAiResponsesTools(offered),
          tool_choice: openAiResponsesToolChoice(city.choice, offered),
        }),
      ),
    ];
    expect(turns.map((turn) => city.read(turn))).toEqual(Array(3).fill({ city: "Kyoto" }));
    expect(model.asked.slice(-3).map(({ toolChoice }) => toolChoice)).toEqual([
      { type: "tool", name: "submit_answer" },
      { type: "function", function: { name: "submit_answer" } },
      { type: "function", name: "submit_answer" },
    ]);
  });

  it.each([
    ["missing", []],
    ["not_json", [{ id: "1", modelName: "submit_answer", input: null }]],
    ["schema_violation at /city", [{ id: "1", modelName: "submit_answer", input: { city: 7 } }]],
  ])("that is %s is said so", (message, calls) => {
    expect(() => city.read({ calls })).toThrow(message);
  });

  it("refuses a schema that cannot be checked here", () => {
    expect(() => structuredOutput("a", "b", { $ref: "https://example.com/schema" })).toThrow(
      "schema_unsupported",
    );
  });
});
