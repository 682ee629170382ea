import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { modelsOf } from "./providers.ts";
import { failingProvider, type Sent } from "./testing/failing-provider.ts";
import { startHost } from "./testing/start-host.ts";

const INPUT = { text: "Rome" };
const CALL = { id: "a", index: 0, function: { name: "echoes", arguments: JSON.stringify(INPUT) } };
const FINISH = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
const piece = (...tool_calls: unknown[]) => ({ choices: [{ index: 0, delta: { tool_calls } }] });
const events = (...chunks: readonly unknown[]): Sent => ({
  body: [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join(""),
});
const SAID = events(
  { choices: [{ index: 0, delta: { content: "It is Rome." } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
);

async function ask(stream: boolean, ...answers: readonly Sent[]) {
  const provider = await failingProvider(...answers);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const { baseUrl } = provider;
  const host = await startHost(() => ({}), {
    findModel: modelsOf({ providers: { local: { baseUrl } } }),
  });
  const request = {
    model: "local/m",
    messages: [{ role: "user", content: "Where?" }],
    allowedTools: ["echoes"],
    stream,
  };
  return { host, request, bodies: provider.bodies };
}

it.each([
  ["no index", [piece({ ...CALL, index: undefined }), FINISH]],
  ["a null index", [piece({ ...CALL, index: null }), FINISH]],
  ["no id", [piece({ ...CALL, id: undefined }), FINISH]],
  ["an empty id", [piece({ ...CALL, id: "" }), FINISH]],
  [
    "arguments as an object",
    [piece({ ...CALL, function: { name: "echoes", arguments: INPUT } }), FINISH],
  ],
  [
    "a chunk without choices",
    [piece(CALL), { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }, FINISH],
  ],
  [
    "usage alone at the end",
    [piece(CALL), FINISH, { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }],
  ],
  [
    "a choice without delta",
    [
      piece(CALL),
      { choices: [{ index: 0, finish_reason: null, content_filter_results: {} }] },
      FINISH,
    ],
  ],
  [
    "null for each field",
    [
      {
        id: null,
        created: null,
        model: null,
        choices: [
          { index: 0, delta: { role: null, content: null, tool_calls: null }, finish_reason: null },
        ],
        usage: null,
      },
      piece(CALL),
      FINISH,
    ],
  ],
  [
    "the name in each chunk",
    [
      piece({ ...CALL, function: { name: "echoes", arguments: "" } }),
      piece({ ...CALL, function: { name: "echoes", arguments: '{"text":' } }),
      piece({ ...CALL, function: { name: "echoes", arguments: '"Rome"}' } }),
      FINISH,
    ],
  ],
])("runs a tool that a server calls with %s", async (_, chunks) => {
  const { host, request, bodies } = await ask(true, events(...chunks), SAID);
  const seen = await host.stream(request);
  const done = seen.find(({ data }) => data.type === "tool.complete");
  expect(done?.data).toMatchObject({ name: "echoes", output: INPUT });
  expect(seen.at(-1)?.data).not.toHaveProperty("unfinished");
  const [call, result] = JSON.parse(bodies[1] ?? "").messages.slice(-2);
  expect(call.tool_calls[0].id).toBe(result.tool_call_id);
});

it("runs calls of which each has the same index, and none an id, one by one", async () => {
  const call = (text: string) =>
    piece({ index: 0, function: { name: "echoes", arguments: JSON.stringify({ text }) } });
  const { host, request } = await ask(true, events(call("Rome"), call("Oslo"), FINISH), SAID);
  const seen = await host.stream(request);
  const outputs = seen
    .filter(({ data }) => data.type === "tool.complete")
    .map(({ data }) => data.output);
  expect(outputs).toEqual([{ text: "Rome" }, { text: "Oslo" }]);
});

it.each([
  ["an error in its stream", events(piece(CALL), { error: { message: "secret of the server" } })],
  ["a finish without the call that it names", events(FINISH)],
])("says that the model failed where a server sends %s", async (_, sent) => {
  const { host, request } = await ask(true, sent);
  const seen = await host.stream(request);
  expect(seen.at(-1)?.data).toMatchObject({ unfinished: { reason: "model_error" } });
  expect(JSON.stringify(seen)).not.toContain("secret");
});

it.each([
  ["no ids", [{ function: CALL.function }, { function: CALL.function }]],
  ["one id for two", [{ ...CALL }, { ...CALL }]],
  ["arguments as an object", [{ ...CALL, function: { name: "echoes", arguments: INPUT } }]],
])("runs the tools of a whole response with %s", async (_, tool_calls) => {
  const json = (message: object, finish_reason: string): Sent => ({
    type: "application/json",
    body: JSON.stringify({ choices: [{ index: 0, message, finish_reason }] }),
  });
  const { host, request, bodies } = await ask(
    false,
    json({ content: null, tool_calls }, "tool_calls"),
    json({ content: "It is Rome." }, "stop"),
  );
  const { body } = await host.chat(request);
  const [parts] = body.data.messages.map(({ parts }: { parts: object[] }) => parts);
  expect(parts).toMatchObject(tool_calls.map(() => ({ state: "output-available", output: INPUT })));
  const ids = JSON.parse(bodies[1] ?? "").messages.at(-1 - tool_calls.length).tool_calls;
  expect(new Set(ids.map(({ id }: { id: string }) => id)).size).toBe(tool_calls.length);
});

describe("a provider that redirects", () => {
  async function serverThat(answer: RequestListener) {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each(["anthropic", "openai", "openai-compatible"] as const)(
    "to another origin gets nothing sent there (%s)",
    async (api) => {
      const reached: unknown[] = [];
      const other = await serverThat((request, response) => {
        reached.push(request.headers);
        response.writeHead(200).end();
      });
      const baseUrl = await serverThat((request, response) => {
        response.writeHead(307, { location: `${other}${request.url}` }).end();
      });
      const providers = { local: { api, baseUrl, apiKey: "secret" } };
      const host = await startHost(() => ({}), { findModel: modelsOf({ providers }) });
      const messages = [{ role: "user", content: "Hello" }];
      const { status, body } = await host.chat({ model: "local/m", messages });
      expect([status, body.details]).toEqual([502, { model: "local/m", modelStatus: 307 }]);
      expect(reached).toEqual([]);
    },
  );

  it("within its origin is followed", async () => {
    const { body = "" } = SAID;
    const baseUrl = await serverThat((request, response) => {
      if (request.url === "/chat/completions") {
        response.writeHead(308, { location: "/v2/chat/completions" }).end();
      } else response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
    });
    const host = await startHost(() => ({}), {
      findModel: modelsOf({ providers: { local: { baseUrl } } }),
    });
    const messages = [{ role: "user", content: "Hello" }];
    const seen = await host.stream({ model: "local/m", messages, stream: true });
    expect(seen.map(({ data }) => data.delta).join("")).toBe("It is Rome.");
  });
});
