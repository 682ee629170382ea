import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, type LanguageModel } from "ai";
import type { ModelFault } from "../app/contract/connected-model.ts";
import { openAiChatStream, openAiChatTurn } from "../sdk/models/index.ts";
import { type Loose, looseList, looseObject } from "../sdk/models/model-turn.ts";
import type { HostConfig } from "./config.ts";
import { apiError } from "./http/api-error.ts";

const HOPS_AT_MOST = 3;

/**
 * Requests to a model's provider. A redirect is followed within the provider's origin only: a request
 * holds the conversation and the key.
 */
async function providerFetch(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  let url = new URL(address instanceof Request ? address.url : address);
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url, { ...init, redirect: "manual" });
    // Other redirects ask for a GET, which is not what was asked.
    const isRedirect = response.status === 307 || response.status === 308;
    const to = isRedirect ? response.headers.get("location") : null;
    if (to === null || hops === HOPS_AT_MOST || !URL.canParse(to, url)) return response;
    const next = new URL(to, url);
    if (next.origin !== url.origin) return response;
    await response.body?.cancel();
    url = next;
  }
}

/**
 * The same for servers that speak Chat Completions in their own ways: calls without index or id,
 * chunks without choices, arguments as objects. What the AI SDK reads is as OpenAI sends it.
 */
async function compatibleFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await providerFetch(...request);
  if (!response.ok || response.body === null) return response;
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "";
  if (type.includes("text/event-stream")) {
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(asOpenAiSends())
      .pipeThrough(new TextEncoderStream());
    return new Response(events, { status, headers: { "content-type": type } });
  }
  return new Response(wholeAsOpenAiSends(await response.text()), {
    status,
    headers: { "content-type": "application/json" },
  });
}

/** Text passes as it comes; calls come whole, before the end. */
function asOpenAiSends(): TransformStream<string, string> {
  const turn = openAiChatStream();
  let rest = "";
  let finish_reason: unknown = null;
  const eventOf = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
  const read = (line: string): string => {
    const [, data] = /^data: ?(.*)$/.exec(line) ?? [];
    if (data === undefined || data === "[DONE]") return "";
    const chunk = jsonIn(data);
    if (chunk === null || (chunk.error ?? null) !== null) return `${line}\n\n`;
    const content = turn.push(chunk);
    const choice = looseList(chunk.choices).find(({ index }) => (index ?? 0) === 0);
    finish_reason = choice?.finish_reason ?? finish_reason;
    const { refusal } = looseObject(choice?.delta);
    const choices = [{ index: 0, delta: { content, refusal }, finish_reason: null }];
    return eventOf({ ...chunk, choices: content === "" && refusal === undefined ? [] : choices });
  };
  return new TransformStream({
    transform(text, events) {
      const lines = (rest + text).split(/\r?\n/);
      rest = lines.pop() ?? "";
      events.enqueue(lines.map(read).join(""));
    },
    flush(events) {
      events.enqueue(read(rest));
      const [message] = turn.turn().messages;
      const tool_calls = message?.tool_calls?.map((call, index) => ({ index, ...call }));
      const delta = tool_calls === undefined ? {} : { tool_calls };
      events.enqueue(eventOf({ choices: [{ index: 0, delta, finish_reason }] }));
      events.enqueue("data: [DONE]\n\n");
    },
  });
}

function wholeAsOpenAiSends(text: string): string {
  const response = jsonIn(text);
  if (response === null || (response.error ?? null) !== null) return text;
  const [choice] = looseList(response.choices);
  const [message] = openAiChatTurn(response).messages;
  const { refusal } = looseObject(choice?.message);
  const whole = { ...choice, index: 0, message: { ...message, refusal } };
  return JSON.stringify({ ...response, choices: [whole] });
}

function jsonIn(text: string): Loose | null {
  try {
    return looseObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @throws ApiError NotFound for a provider that is not configured */
export type FindModel = (name: string) => CallableModel;

/** Not a model's name, which the AI SDK would look for at its own gateway. */
export type CallableModel = Exclude<LanguageModel, string>;

type Provider = HostConfig["providers"][string];

/** Models by `provider/name`. A provider is first contacted at its first chat. */
export function modelsOf({ providers }: Pick<HostConfig, "providers">) {
  return (name: string): CallableModel => {
    const [id = "", ...rest] = name.split("/");
    if (!Object.hasOwn(providers, id)) {
      throw apiError("NotFound", `Unknown model: ${name}`, { model: name });
    }
    return make(id, providers[id] as Provider, rest.join("/"));
  };
}

function make(id: string, { api, baseUrl, apiKey }: Provider, name: string): CallableModel {
  // Without this, the client would take a key from the environment that was meant for something
  // else.
  const settings = {
    apiKey: apiKey ?? "",
    fetch: providerFetch,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  };
  switch (api ?? DEFAULT_APIS[id] ?? "openai-compatible") {
    case "anthropic":
      return createAnthropic(settings)(name);
    case "openai":
      return createOpenAI(settings).responses(name);
    case "openai-compatible":
      return createOpenAI({ ...settings, fetch: compatibleFetch, name: id }).chat(name);
  }
}

const DEFAULT_APIS: Readonly<Record<string, NonNullable<Provider["api"]>>> = {
  anthropic: "anthropic",
  openai: "openai",
};

/** The HTTP status that a model's API failed with; null where it was not even reached. */
export function modelStatus(failure: unknown): number | null {
  return callError(failure)?.statusCode ?? null;
}

/** The same in the words that a person is told. */
export function modelFault(failure: unknown): ModelFault {
  if (failure instanceof DOMException && failure.name === "TimeoutError") return "unreachable";
  const error = callError(failure);
  if (error === undefined) return "provider_failed";
  switch (error.statusCode) {
    case undefined:
      return "unreachable";
    case 401:
    case 403:
      return "key_refused";
    case 404:
      return "model_unknown";
    case 402:
    case 429:
      return "quota";
    default:
      return "provider_failed";
  }
}

/** The last of several attempts, where there were several. */
function callError(failure: unknown): APICallError | undefined {
  const causes = [failure, (failure as { lastError?: unknown } | null)?.lastError];
  return causes.find((each) => APICallError.isInstance(each));
}
