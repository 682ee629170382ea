import {
  convertToModelMessages,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
  type UIMessage,
} from "ai";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";
import type { HostTool } from "../tools/host-tool.ts";
import type { ChatRequest, HistoryMessage, ReadyTool } from "./chat-request.ts";
import {
  NO_USAGE,
  type Outcome,
  runStreaming,
  runWhole,
  ToolSteps,
  type Usage,
} from "./generate.ts";
import { History, type RunEvent } from "./history.ts";

/** Maximum steps of one request: the model's turns and the tools' calls, counted together. */
const STEPS_AT_MOST = 30;
/** Maximum duration of one request, in milliseconds. */
export const RUN_MS = 120_000;

type Unfinished = "step_limit" | "timeout" | "model_error" | "length";

export interface RunResult {
  readonly messages: readonly HistoryMessage[];
  readonly usage: Usage;
  readonly used: readonly string[];
  /** Why the run ended before the model was done; null if it was done. */
  readonly unfinished: Unfinished | null;
  /** The error of the model's API; null if there was none. */
  readonly failure: unknown;
}

export interface RunOptions {
  readonly model: LanguageModel;
  readonly request: ChatRequest;
  readonly tools: readonly ReadyTool[];
  /** The name of the key that authenticated the request. */
  readonly key: string;
  readonly sandboxes: Sandboxes;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

/** Runs the model and its tools to the end, or to a limit; everything done until then is kept. */
export async function runChat(options: RunOptions): Promise<RunResult> {
  const { model, request, key, sandboxes, gone, onEvent } = options;
  const timeout = AbortSignal.timeout(RUN_MS);
  const signal = AbortSignal.any([timeout, gone]);
  const history = new History();
  const steps = new ToolSteps(STEPS_AT_MOST);
  const tell = (event: RunEvent): void => {
    history.add(event);
    onEvent?.(event);
  };
  const outcome: Outcome = { usage: NO_USAGE, ending: "error", failure: null };
  const settings = {
    model,
    messages: await modelMessages(request.messages),
    allowSystemInMessages: true,
    tools: toolSet(options.tools, (tool, context, input, callId) =>
      steps.run(tool, input, {
        ...{ context, model, signal, key, sandboxes },
        report: (output) => tell({ type: "tool.output", callId, name: tool.name, output }),
      }),
    ),
    abortSignal: signal,
    stopWhen: () => !steps.next(),
  };
  const run = onEvent === undefined ? runWhole : runStreaming;
  await run(settings, tell, outcome);
  return {
    messages: history.messages,
    used: history.used,
    usage: outcome.usage,
    unfinished: unfinishedBy(outcome.ending, timeout.aborted, steps.areUsedUp),
    failure: outcome.failure,
  };
}

function unfinishedBy(
  ending: string,
  isOutOfTime: boolean,
  isOutOfSteps: boolean,
): Unfinished | null {
  if (isOutOfTime) return "timeout";
  switch (ending) {
    case "stop":
    case "content-filter":
      return null;
    case "tool-calls":
      return isOutOfSteps ? "step_limit" : "model_error";
    case "length":
      return "length";
    default:
      return "model_error";
  }
}

/** Messages in words, and those of an earlier answer with their tool parts. */
async function modelMessages(messages: ChatRequest["messages"]): Promise<ModelMessage[]> {
  const converted = await Promise.all(
    messages.map((message): ModelMessage[] | Promise<ModelMessage[]> =>
      "content" in message
        ? [{ role: message.role, content: message.content }]
        : convertToModelMessages([message as UIMessage], { ignoreIncompleteToolCalls: true }),
    ),
  );
  return converted.flat();
}

/** The tools as the AI SDK takes them. */
const toolSet = (
  tools: readonly ReadyTool[],
  run: (
    tool: HostTool,
    context: JsonObject,
    input: JsonObject,
    callId: string,
  ) => Promise<JsonValue>,
): ToolSet =>
  Object.fromEntries(
    tools.map(({ tool, context }) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: jsonSchema<JsonObject>(tool.inputSchema as object),
        execute: (input: JsonObject, { toolCallId }) => run(tool, context, input, toolCallId),
      } satisfies ToolSet[string],
    ]),
  );
