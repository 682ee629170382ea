import { describe, expect, it } from "vitest";
import { chatWire } from "../../agent-host/scripted-model/chat-wire.ts";
import { messagesWire } from "../../agent-host/scripted-model/messages-wire.ts";
import { responsesWire } from "../../agent-host/scripted-model/responses-wire.ts";
import { pieces, type ScriptedTurn } from "../../agent-host/scripted-model/script.ts";
import {
  type AnthropicEvent,
  anthropicStream,
  anthropicTurn,
  type OpenAiChatChunk,
  type OpenAiResponsesEvent,
  openAiChatStream,
  openAiChatTurn,
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
  const piece = (tool_calls: unknown): OpenAiChatChunk => ({
    choices: [{ delta: { tool_calls } }],
  });
  const assembled = (chunks: readonly OpenAiChatChunk[]) => {
    const stream = openAiChatStream();
    const words = chunks.map((chunk) => stream.push(chunk)).join("");
    return { words, ...stream.turn() };
  };
  const madeBy = (chunks: readonly OpenAiChatChunk[]) =>
    assembled(chunks).calls.map(({ modelName, input }) => ({ name: modelName, input }));

  const CALLS = [
    { name: "read_file", input: { path: "/a", range: { from: 1 } } },
    { name: "read_file", input: { path: "/b", range: {} } },
    { name: "get_location", input: {} },
  ];
  /** What a server writes beside a call's arguments; `at` counts the chunks of one call. */
  const INDEX = {
    "an index": (call: number) => ({ index: call }),
    "no index": () => ({}),
    "a null index": () => ({ index: null }),
    "the same index for all": () => ({ index: 0 }),
  };
  const ID = {
    "an id in the first chunk": (call: number, at: number) => (at === 0 ? { id: `id${call}` } : {}),
    "an id in each chunk": (call: number) => ({ id: `id${call}` }),
    "an id, then empty ones": (call: number, at: number) => ({ id: at === 0 ? `id${call}` : "" }),
    "no id": () => ({}),
    "null for an id": () => ({ id: null }),
    "an empty id": () => ({ id: "" }),
  };
  const NAME = {
    "the name once": (name: string, at: number) => (at === 0 ? { name } : {}),
    "the name in each chunk": (name: string) => ({ name }),
    "the name once, then null": (name: string, at: number) => ({ name: at === 0 ? name : null }),
    "the name once, then an empty one": (name: string, at: number) => ({
      name: at === 0 ? name : "",
    }),
  };
  const ARGUMENTS = {
    "arguments in pieces": (input: object) => ["", ...pieces(JSON.stringify(input))],
    "arguments in pieces from the first chunk on": (input: object) => pieces(JSON.stringify(input)),
    "arguments whole": (input: object) => [JSON.stringify(input)],
    "arguments as an object": (input: object) => [input],
    "no arguments, then an object": (input: object) => [null, input],
  };
  const SERVERS = Object.entries(INDEX).flatMap(([indexed, index]) =>
    Object.entries(ID).flatMap(([identified, id]) =>
      Object.entries(NAME).flatMap(([named, name]) =>
        Object.entries(ARGUMENTS).map(([argued, split]) => ({
          server: [indexed, identified, named, argued].join(", "),
          chunks: CALLS.flatMap((call, nth) =>
            split(call.input).map((text, at) =>
              piece([
                {
                  ...index(nth),
                  ...id(nth, at),
                  function: { ...name(call.name, at), arguments: text },
                },
              ]),
            ),
          ),
        })),
      ),
    ),
  );

  it.each(SERVERS)("with $server, has the model's calls", ({ chunks }) => {
    const { calls } = assembled(chunks);
    expect(calls.map(({ modelName, input }) => ({ name: modelName, input }))).toEqual(CALLS);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(CALLS.length);
  });

  it("has each id in the message and in the result", () => {
    const { calls, messages } = assembled([
      piece([
        { index: 0, function: { name: "f", arguments: "{}" } },
        { index: 1, function: { name: "g", arguments: "{}" } },
      ]),
    ]);
    const ids = calls.map(({ id }) => id);
    expect(ids.every((id) => id !== "" && id !== "undefined")).toBe(true);
    expect(messages[0]?.tool_calls?.map(({ id }) => id)).toEqual(ids);
  });

  it("keeps interleaved calls apart by their index or id", () => {
    const by = (key: "index" | "id") =>
      [0, 1].flatMap((at) =>
        [0, 1].map((call) =>
          piece([
            {
              [key]: key === "id" ? `c${call}` : call,
              function:
                at === 0 ? { name: `f${call}`, arguments: '{"n":' } : { arguments: `${call}}` },
            },
          ]),
        ),
      );
    const calls = [
      { name: "f0", input: { n: 0 } },
      { name: "f1", input: { n: 1 } },
    ];
    expect(madeBy(by("index"))).toEqual(calls);
    expect(madeBy(by("id"))).toEqual(calls);
  });

  it.each([
    ["no choices", {}],
    ["null for choices", { choices: null }],
    ["usage alone", { choices: [], usage: { total_tokens: 3 } }],
    ["a null choice", { choices: [null] }],
    ["no delta", { choices: [{ index: 0, finish_reason: "stop" }] }],
    ["a null delta", { choices: [{ index: 0, delta: null }] }],
    ["null for each field", { choices: [{ delta: { content: null, tool_calls: null } }] }],
    ["a null call", { choices: [{ delta: { tool_calls: [null] } }] }],
    ["a call that is nothing", { choices: [{ delta: { tool_calls: [{}] } }] }],
    ["nothing", null],
    ["another choice", { choices: [{ index: 1, delta: { content: "Ho" } }] }],
  ] as unknown as [string, OpenAiChatChunk][])("reads a chunk with %s as nothing", (_, chunk) => {
    const hi = { choices: [{ index: 0, delta: { content: "Hi" } }] };
    const call = piece([{ id: "a", function: { name: "f", arguments: "{}" } }]);
    const { words, text, calls } = assembled([chunk, hi, chunk, call, chunk]);
    expect([words, text]).toEqual(["Hi", "Hi"]);
    expect(calls).toEqual([{ id: "a", modelName: "f", input: {} }]);
  });

  it("reads text in parts", () => {
    const content = [{ type: "text", text: "Hi" }, { type: "thinking", thinking: "…" }, null];
    expect(assembled([{ choices: [{ delta: { content } }] }]).text).toBe("Hi");
  });

  it.each([
    ["an error in place of a chunk", { error: { message: "overloaded", code: 503 } }],
    ["an error as text", { error: "overloaded" }],
  ])("throws a coded error for %s", (_, chunk) => {
    expect(() => openAiChatStream().push(chunk as OpenAiChatChunk)).toThrow(
      expect.objectContaining({ name: "AgentError", code: "provider_error" }),
    );
  });

  it.each([
    [
      "a name in two parts",
      [
        { id: "a", function: { name: "read_" } },
        { id: "a", function: { name: "file", arguments: "{}" } },
      ],
    ],
    [
      "a name that grows",
      [
        { id: "a", function: { name: "read_" } },
        { id: "a", function: { name: "read_file", arguments: "{}" } },
      ],
    ],
    [
      "a named end without arguments",
      [
        { function: { name: "read_file", arguments: "{}" } },
        { function: { name: "read_file", arguments: "" } },
      ],
    ],
    [
      "an id that changes",
      [
        { index: 0, id: "a", function: { name: "read_file", arguments: "{" } },
        { index: 0, id: "b", function: { arguments: "}" } },
      ],
    ],
  ])("takes %s for one call", (_, parts) => {
    expect(madeBy(parts.map((each) => piece([each])))).toEqual([{ name: "read_file", input: {} }]);
  });

  it.each([
    ["arguments of nobody's", [{ index: 3, function: { arguments: '{"a":1}' } }], ["", { a: 1 }]],
    [
      "more after the end",
      [
        { id: "a", function: { name: "f", arguments: "{}" } },
        { function: { arguments: '{"a":1}' } },
      ],
      ["f", null],
    ],
    [
      "an object after text",
      [
        { id: "a", function: { name: "f", arguments: "{" } },
        { id: "a", function: { arguments: { a: 1 } } },
      ],
      ["f", null],
    ],
  ])("never runs %s as what it is not", (_, parts, [name, input]) => {
    expect(madeBy(parts.map((each) => piece([each])))).toEqual([{ name, input }]);
  });
});

describe("a response of Chat Completions from another server", () => {
  it("without ids gives each call one, the same in message and result", () => {
    const tool_calls = ["f", "g"].map((name) => ({ function: { name, arguments: "{}" } }));
    const { calls, messages } = openAiChatTurn({
      choices: [{ message: { content: null, tool_calls } }],
    });
    const ids = calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain("undefined");
    expect(messages[0]?.tool_calls?.map(({ id }) => id)).toEqual(ids);
  });

  it("with one id for two calls tells them apart", () => {
    const tool_calls = ["f", "g"].map((name) => ({ id: "x", function: { name, arguments: "{}" } }));
    const { calls } = openAiChatTurn({ choices: [{ message: { tool_calls } }] });
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ["arguments as an object", { a: 1 }, { a: 1 }],
    ["null for arguments", null, {}],
    ["no arguments", undefined, {}],
    ["a list for arguments", [1], null],
    ["a number for arguments", 1, null],
  ])("with %s has them", (_, written, input) => {
    const tool_calls = [{ id: "a", function: { name: "f", arguments: written } }];
    const { calls, messages } = openAiChatTurn({
      choices: [{ message: { content: null, tool_calls } }],
    });
    expect(calls).toEqual([{ id: "a", modelName: "f", input }]);
    expect(typeof messages[0]?.tool_calls?.[0]?.function.arguments).toBe("string");
  });

  it.each([
    ["no choices", {}],
    ["null for choices", { choices: null }],
    ["no message", { choices: [{}] }],
    ["null for the message", { choices: [{ message: null }] }],
    ["null for the calls", { choices: [{ message: { content: null, tool_calls: null } }] }],
    ["a call that is null", { choices: [{ message: { tool_calls: [null] } }] }],
  ])("with %s is an empty turn", (_, response) => {
    expect(openAiChatTurn(response)).toMatchObject({ text: "", calls: [] });
  });

  it("that is an error throws a coded one", () => {
    expect(() => openAiChatTurn({ error: { message: "no" } })).toThrow(
      expect.objectContaining({ code: "provider_error", message: "provider_error: no" }),
    );
  });
});

describe("a stream of Messages from another server", () => {
  const assembled = (events: readonly unknown[]) => {
    const stream = anthropicStream();
    for (const event of events) stream.push(event as AnthropicEvent);
    return stream.turn();
  };

  it("without indexes has a block for each start", () => {
    const block = (name: string, id?: string) => ({
      type: "content_block_start",
      content_block: { type: "tool_use", ...(id === undefined ? {} : { id }), name, input: {} },
    });
    const json = (partial_json: unknown) => ({
      type: "content_block_delta",
      delta: { type: "input_json_delta", partial_json },
    });
    const { calls, messages } = assembled([
      block("f"),
      json('{"a"'),
      json(":1}"),
      block("g"),
      json({ b: 2 }),
      block("h", "x"),
      block("i", "x"),
    ]);
    expect(calls.map(({ modelName, input }) => [modelName, input])).toEqual([
      ["f", { a: 1 }],
      ["g", { b: 2 }],
      ["h", {}],
      ["i", {}],
    ]);
    const ids = calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(messages[0]?.content).toMatchObject(ids.map((id) => ({ type: "tool_use", id })));
  });

  it.each([
    ["nothing", null],
    ["an event without a delta", { type: "content_block_delta", index: 0 }],
    ["an event with a null delta", { type: "content_block_delta", index: 0, delta: null }],
    ["a start without a block", { type: "content_block_start", index: 5, content_block: null }],
    ["an end", { type: "message_stop" }],
  ])("reads %s as nothing", (_, event) => {
    const text = {
      type: "content_block_start",
      index: 0,
      content_block: { type: "text", text: "Hi" },
    };
    expect(assembled([event, text, event])).toMatchObject({ text: "Hi", calls: [] });
  });

  it("throws a coded error for one that is sent", () => {
    const event = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(() => assembled([event])).toThrow(
      expect.objectContaining({ code: "provider_error", message: "provider_error: Overloaded" }),
    );
  });

  it.each([
    ["no content", {}],
    ["null for content", { content: null }],
    ["a null block", { content: [null] }],
  ])("a response with %s is an empty turn", (_, response) => {
    expect(anthropicTurn(response as { content: [] })).toMatchObject({ text: "", calls: [] });
  });

  it("a response without ids gives each call one, the same in message and result", () => {
    const content = ["f", "g"].map((name) => ({ type: "tool_use", name, input: {} }));
    const { calls, messages } = anthropicTurn({ content });
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(messages[0]?.content).toMatchObject(calls.map(({ id }) => ({ id })));
  });
});

describe("a stream of Responses from another server", () => {
  const assembled = (events: readonly unknown[]) => {
    const stream = openAiResponsesStream<Item>();
    for (const event of events) stream.push(event as OpenAiResponsesEvent<Item>);
    return stream.turn();
  };
  const item = (name: string, over: object = {}) => ({
    type: "function_call",
    id: name,
    name,
    ...over,
  });

  it("without places goes by the items' ids", () => {
    const { calls, messages } = assembled([
      { type: "response.output_item.added", item: item("f", { arguments: "" }) },
      { type: "response.output_item.added", item: item("g", { arguments: "" }) },
      { type: "response.function_call_arguments.delta", item_id: "f", delta: '{"a"' },
      { type: "response.function_call_arguments.delta", item_id: "g", delta: '{"b":2}' },
      { type: "response.function_call_arguments.delta", item_id: "f", delta: ":1}" },
      { type: "response.output_item.done", item: item("h", { arguments: { c: 3 } }) },
    ]);
    expect(calls.map(({ modelName, input }) => [modelName, input])).toEqual([
      ["f", { a: 1 }],
      ["g", { b: 2 }],
      ["h", { c: 3 }],
    ]);
    const ids = calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(messages).toMatchObject(ids.map((call_id) => ({ call_id })));
  });

  it("without places or ids takes one item after the other", () => {
    const item = (name: string, text: string) => ({ type: "function_call", name, arguments: text });
    const { calls } = assembled([
      { type: "response.output_item.added", item: item("f", "") },
      { type: "response.function_call_arguments.delta", delta: '{"a":1}' },
      { type: "response.output_item.done", item: item("f", '{"a":1}') },
      { type: "response.output_item.added", item: item("g", "") },
      { type: "response.function_call_arguments.delta", delta: "{}" },
    ]);
    expect(calls.map(({ modelName, input }) => [modelName, input])).toEqual([
      ["f", { a: 1 }],
      ["g", {}],
    ]);
  });

  it.each([
    ["nothing", null],
    ["an event without an item", { type: "response.output_item.added", output_index: 0 }],
    [
      "an event with a null item",
      { type: "response.output_item.done", output_index: 0, item: null },
    ],
    ["a delta of nobody's", { type: "response.function_call_arguments.delta", delta: "{}" }],
    ["a delta that is null", { type: "response.output_text.delta", delta: null }],
  ])("reads %s as nothing", (_, event) => {
    const done = {
      type: "response.output_item.done",
      output_index: 1,
      item: item("f", { call_id: "c", arguments: "{}" }),
    };
    expect(assembled([event, done, event]).calls).toEqual([{ id: "c", modelName: "f", input: {} }]);
  });

  it.each([
    ["an error", { type: "error", message: "Overloaded" }],
    ["a failure", { type: "response.failed", response: { error: { message: "Overloaded" } } }],
  ])("throws a coded error for %s", (_, event) => {
    expect(() => assembled([event])).toThrow(
      expect.objectContaining({ code: "provider_error", message: "provider_error: Overloaded" }),
    );
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
