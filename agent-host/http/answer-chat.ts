import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { assertNever } from "../../app/contract/assert-never.ts";
import { type ChatRequest, type ChosenTools, refuseLacking } from "../chat/chat-request.ts";
import { type RunOptions, type RunResult, runChat } from "../chat/run-chat.ts";
import type { KeyStore } from "../key-file.ts";
import type { RunEvent } from "../model-loop.ts";
import { type CallableModel, type FindModel, modelStatus } from "../providers.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";
import type { HostTool } from "../tools/host-tool.ts";
import { apiError, bodyOf, isApiError } from "./api-error.ts";

interface Chat {
  readonly request: ChatRequest;
  readonly model: CallableModel;
  readonly chosen: ChosenTools;
}

/** Validates, runs, or runs and streams, as the request asks. */
export async function answerChat(c: HostContext, parts: HostParts, chat: Chat): Promise<Response> {
  const { request, chosen } = chat;
  const { contextStrategy: strategy = "error", validateOnly = false, stream = false } = request;
  if (validateOnly || strategy === "report") return c.json(reportOf(chat));
  if (strategy === "error") refuseLacking(chosen);
  const skipped = skippedOf(chosen);
  if (skipped.length > 0) c.header("X-Tools-Skipped", skipped.join(", "));
  const options = runOptions(c, parts, chat);
  if (stream) return streamed(c, options, skipped);
  const result = await runChat(options);
  refuseFailed(result, request.model);
  return c.json({ success: true, data: dataOf(result, skipped) });
}

const skippedOf = ({ lacking }: ChosenTools): string[] => lacking.map(({ tool }) => tool.name);

function runOptions(c: HostContext, { sandboxes }: HostParts, chat: Chat): RunOptions {
  return {
    key: c.get("key"),
    sandboxes,
    model: chat.model,
    request: chat.request,
    tools: chat.chosen.ready,
    gone: c.req.raw.signal,
  };
}

function dataOf({ messages, usage, used, unfinished }: RunResult, skipped: readonly string[]) {
  return {
    messages,
    usage,
    tools: { used, skipped },
    ...(unfinished === null ? {} : { unfinished: { reason: unfinished } }),
  };
}

/** What a request would be run with. */
function reportOf({ request, chosen }: Chat) {
  const missing = new Map(chosen.lacking.map(({ tool, missing }) => [tool.name, missing]));
  const tools = (request.allowedTools ?? []).map((name) => ({
    name,
    ready: !missing.has(name),
    missingContext: missing.get(name) ?? [],
  }));
  const data = { valid: missing.size === 0, model: request.model, tools };
  return { success: true, data };
}

/** @throws ApiError if the model failed before anything was done */
function refuseFailed({ failure, messages, unfinished }: RunResult, model: string): void {
  if (unfinished !== "model_error" || messages.length > 0) return;
  const status = modelStatus(failure);
  if (status === 404) throw apiError("NotFound", `Unknown model: ${model}`, { model });
  throw apiError("BadGateway", "The model did not answer.", { model, modelStatus: status });
}

function streamed(c: HostContext, options: RunOptions, skipped: readonly string[]): Response {
  return streamSSE(c, async (events) => {
    const heartbeat = setInterval(() => void events.write(": keep-alive\n\n"), HEARTBEAT_MS);
    // In order, however long each write takes.
    let written: Promise<unknown> = Promise.resolve();
    const write = (event: string, data: object): void => {
      written = written.then(() => events.writeSSE({ event, data: JSON.stringify(data) }));
    };
    try {
      const result = await runChat({
        ...options,
        onEvent(event) {
          const sent = eventOf(event);
          if (sent !== null) write(sent.event, sent.data);
        },
      });
      try {
        refuseFailed(result, options.request.model);
      } catch (error) {
        if (!isApiError(error)) throw error;
        write("error", { type: "error", ...bodyOf(error) });
      }
      const { messages: _, ...rest } = dataOf(result, skipped);
      write("done", { type: "done", ...rest });
      await written;
    } finally {
      clearInterval(heartbeat);
    }
  });
}

/** Milliseconds between heartbeats, well below what proxies wait. */
export const HEARTBEAT_MS = 15_000;

interface SentEvent {
  readonly event: "text" | "tool";
  readonly data: object;
}

/** What a streaming client receives for an event; null: nothing. */
function eventOf(event: RunEvent): SentEvent | null {
  switch (event.type) {
    case "step":
    case "step.end":
      return null;
    case "text":
      return { event: "text", data: { type: "text.delta", delta: event.delta } };
    case "tool.start": {
      const { type, name, callId: toolCallId, input } = event;
      return { event: "tool", data: { type, name, toolCallId, input } };
    }
    case "tool.output": {
      const { type, name, callId: toolCallId, output } = event;
      return { event: "tool", data: { type, name, toolCallId, output } };
    }
    case "tool.complete": {
      const { type, name, callId: toolCallId, output } = event;
      return {
        event: "tool",
        data: { type, name, toolCallId, state: "output-available", output },
      };
    }
    default:
      return assertNever(event);
  }
}

export interface HostParts {
  readonly findModel: FindModel;
  readonly tools: ReadonlyMap<string, HostTool>;
  readonly keys: Pick<KeyStore, "nameOf">;
  readonly sandboxes: Sandboxes;
  readonly requestsPerMinute: number;
}

export interface Keyed {
  /** `key`: the name of the key that authenticated the request. */
  readonly Variables: { readonly key: string };
}
type HostContext = Context<Keyed>;
