import { describe, expect, it } from "vitest";
import { chatWire } from "../../agent-host/scripted-model/chat-wire.ts";
import { messagesWire } from "../../agent-host/scripted-model/messages-wire.ts";
import { responsesWire } from "../../agent-host/scripted-model/responses-wire.ts";
import type { ScriptedTurn } from "../../agent-host/scripted-model/script.ts";
import {
  type AnthropicEvent,
  anthropicStream,
  anthropicTurn,
  type OpenAiChatChunk,
  type OpenAiResponsesEvent,
  openAiChatStream,
  openAiResponsesStream,
} from "./index.ts";

type Item = { readonly type: string; readonly [key: string]: unknown };

const APIS = {
  "Anthropic's Messages": (turn: ScriptedTurn) => {
    const stream = anthropicStream();
    const words = messagesWire.stream(turn).map(({ data }) => stream.push(data as AnthropicEvent));
    return { words: words.join(""), turn: stream.turn() };
  },
  "OpenAI's Chat Completions": (turn: ScriptedTurn) => {
    const stream = openAiChatStream();
    const chunks = chatWire.stream(turn).filter(({ data }) => typeof data !== "string");
    const words = chunks.map(({ data }) => stream.push(data as OpenAiChatChunk));
    return { words: words.join(""), turn: stream.turn() };
  },
  "OpenAI's Responses": (turn: ScriptedTurn) => {
    const stream = openAiResponsesStream<Item>();
    const words = responsesWire
      .stream(turn)
      .map(({ data }) => stream.push(data as OpenAiResponsesEvent<Item>));
    return { words: words.join(""), turn: stream.turn() };
  },
};

describe.each(Object.entries(APIS))("a stream of %s", (_, assemble) => {
  it("gives its text as it arrives, and its calls whole, in the model's order", () => {
    const calls = [
      { name: "fetch_url", input: { url: "https://example.com/ä?q=“1”" } },
      { name: "get_location", input: {} },
    ];
    const { words, turn } = assemble({ text: "Let me look that up. 请稍候", calls });
    expect(words).toBe("Let me look that up. 请稍候");
    expect(turn.text).toBe(words);
    expect(turn.calls.map(({ modelName, input }) => ({ name: modelName, input }))).toEqual(calls);
    expect(new Set(turn.calls.map(({ id }) => id)).size).toBe(2);
  });

  it("with calls only has no text", () => {
    const { turn } = assemble({ calls: [{ name: "get_location", input: {} }] });
    expect(turn).toMatchObject({ text: "", calls: [{ modelName: "get_location", input: {} }] });
  });

  it.each([
    ["cut short", '{"url": "https://exam'],
    ["no object", '["https://example.com"]'],
    ["said twice", '{"url": "https://a.example", "url": "https://b.example"}'],
  ])("whose arguments are %s has a call without any", (_name, input) => {
    const { turn } = assemble({ calls: [{ name: "fetch_url", input }] });
    expect(turn.calls).toMatchObject([{ modelName: "fetch_url", input: null }]);
  });

  it("with a call without arguments calls with none", () => {
    const { turn } = assemble({ calls: [{ name: "get_location", input: "" }] });
    expect(turn.calls).toMatchObject([{ input: {} }]);
  });
});

describe("a stream of Chat Completions from another server", () => {
  const piece = (tool_calls: object[]) => ({ choices: [{ delta: { tool_calls } }] });

  it("that gives calls ids but no index is assembled by the ids", () => {
    const stream = openAiChatStream();
    for (const chunk of [
      piece([{ id: "a", function: { name: "one", arguments: '{"x"' } }]),
      piece([{ id: "b", function: { name: "two", arguments: "{}" } }]),
      piece([{ id: "a", function: { arguments: ":1}" } }]),
    ]) {
      stream.push(chunk);
    }
    expect(stream.turn().calls).toEqual([
      { id: "a", modelName: "one", input: { x: 1 } },
      { id: "b", modelName: "two", input: {} },
    ]);
  });

  it("that leaves both out continues the previous call", () => {
    const stream = openAiChatStream();
    for (const chunk of [
      piece([{ id: "a", function: { name: "one", arguments: '{"x"' } }]),
      piece([{ function: { arguments: ":1}" } }]),
      { choices: [] },
    ]) {
      stream.push(chunk);
    }
    expect(stream.turn().calls).toEqual([{ id: "a", modelName: "one", input: { x: 1 } }]);
  });
});

describe("a turn of Anthropic's", () => {
  it("goes back with its thinking, signed as it came", () => {
    const stream = anthropicStream();
    const events = [
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "s" } },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    ];
    for (const event of events) stream.push(event);
    expect(stream.turn().messages).toEqual([
      { role: "assistant", content: [{ type: "thinking", thinking: "Hm", signature: "s" }] },
    ]);
  });

  it("that was not streamed keeps blocks of every kind", () => {
    const content = [
      { type: "server_tool_use", id: "1" },
      { type: "text", text: "done" },
    ];
    expect(anthropicTurn({ content })).toEqual({
      text: "done",
      calls: [],
      messages: [{ role: "assistant", content }],
    });
  });
});
