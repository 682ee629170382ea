import {
  APICallError,
  convertToModelMessages,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  type UIMessage,
} from "ai";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";
import type { HostTool } from "../tools/host-tool.ts";
import type { ChatRequest, HistoryMessage } from "./chat-request.ts";
import type { ReadyTool } from "./choose-tools.ts";
import { History, type RunEvent } from "./history.ts";
import { ToolSteps } from "./tool-steps.ts";

/** Steps of one request: what the model generates and what its tools do, counted together. */
const STEPS_AT_MOST = 30;
/** Milliseconds that one request may take. */
export const RUN_MS = 120_000;

type Unfinished = "step_limit" | "timeout" | "model_error" | "length";

interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export interface RunResult {
  readonly messages: readonly HistoryMessage[];
  readonly usage: Usage;
  readonly used: readonly string[];
  /** Why the run ended before the model was done; null: it was. */
  readonly unfinished: Unfinished | null;
  /** What the model's API failed with; null where it did not. */
  readonly failure: unknown;
}

export interface RunOptions {
  readonly model: LanguageModel;
  readonly request: ChatRequest;
  readonly tools: readonly ReadyTool[];
  /** The name of the key that the request came with. */
  readonly key: string;
  readonly sandboxes: Sandboxes;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
  readonly runMs?: number;
  readonly retries?: number;
  readonly onEvent?: (event: RunEvent) => void;
}

/** Runs the model and its tools to the end, or to a limit; what was done until then is kept. */
export async function runChat(options: RunOptions): Promise<RunResult> {
  const { model, request, key, sandboxes, gone, runMs = RUN_MS, retries, onEvent } = options;
  const timeout = AbortSignal.timeout(runMs);
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
    stopWhen: () => steps.isOver,
    ...(retries === undefined ? {} : { maxRetries: retries }),
  };
  const run = onEvent === undefined ? runWhole : runStreaming;
  await run(settings, tell, steps, outcome);
  return {
    messages: history.messages,
    used: history.used,
    usage: outcome.usage,
    unfinished: unfinishedBy(outcome.ending, timeout.aborted),
    failure: outcome.failure,
  };
}

interface Outcome {
  usage: Usage;
  ending: string;
  failure: unknown;
}

type Settings = Pick<
  Parameters<typeof generateText<ToolSet>>[0],
  "model" | "allowSystemInMessages" | "tools" | "abortSignal" | "stopWhen" | "maxRetries"
> & { readonly messages: ModelMessage[] };

type Run = (
  settings: Settings,
  tell: (event: RunEvent) => void,
  steps: ToolSteps,
  outcome: Outcome,
) => Promise<void>;

/** Nobody watches: the model's turns come whole, which costs a third of their coming in pieces. */
const runWhole: Run = async (settings, tell, steps, outcome) => {
  try {
    const { finishReason } = await generateText({
      ...settings,
      prepareStep() {
        steps.count();
        return {};
      },
      onStepEnd({ content, usage }) {
        tell({ type: "step" });
        for (const part of content) {
          if (part.type === "text") take({ ...part, type: "text-delta", id: "" }, tell, outcome);
          else if (isToolPart(part)) take(part, tell, outcome);
        }
        outcome.usage = added(outcome.usage, usage);
      },
    });
    outcome.ending = finishReason;
  } catch (error) {
    if (settings.abortSignal?.aborted !== true) outcome.failure = error;
  }
};

const runStreaming: Run = async (settings, tell, steps, outcome) => {
  const { stream } = streamText({ ...settings, onError: () => {} });
  for await (const part of stream) {
    if (part.type === "start-step") steps.count();
    take(part, tell, outcome);
  }
};

type Part = TextStreamPart<ToolSet>;
type ToolPart = Extract<Part, { readonly type: "tool-call" | "tool-result" | "tool-error" }>;

const isToolPart = (part: { readonly type: string }): part is ToolPart =>
  ["tool-call", "tool-result", "tool-error"].includes(part.type);

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function take(part: Part, tell: (event: RunEvent) => void, outcome: Outcome): void {
  switch (part.type) {
    case "start-step":
      tell({ type: "step" });
      break;
    case "text-delta":
      if (part.text !== "") tell({ type: "text", delta: part.text });
      break;
    case "tool-call":
      tell({ type: "tool.start", callId: part.toolCallId, name: part.toolName, input: part.input });
      break;
    case "tool-result":
    case "tool-error": {
      const output = part.type === "tool-result" ? part.output : errorOutput(part.error);
      tell({ type: "tool.complete", callId: part.toolCallId, name: part.toolName, output });
      break;
    }
    case "finish-step":
      outcome.usage = added(outcome.usage, part.usage);
      break;
    case "finish":
      outcome.ending = part.finishReason;
      break;
    case "abort":
      outcome.ending = "abort";
      break;
    case "error":
      outcome.failure = part.error;
      outcome.ending = "error";
      break;
    default:
  }
}

const added = (before: Usage, more: Partial<Record<keyof Usage, number | undefined>>): Usage => ({
  inputTokens: before.inputTokens + (more.inputTokens ?? 0),
  outputTokens: before.outputTokens + (more.outputTokens ?? 0),
  totalTokens: before.totalTokens + (more.totalTokens ?? 0),
});

function unfinishedBy(ending: string, isOutOfTime: boolean): Unfinished | null {
  if (isOutOfTime) return "timeout";
  switch (ending) {
    case "stop":
    case "content-filter":
      return null;
    case "tool-calls":
      return "step_limit";
    case "length":
      return "length";
    default:
      return "model_error";
  }
}

/** What the model reads of a call that could not even begin: its name or input was wrong. */
const errorOutput = (error: unknown): object => ({
  error: { code: "invalid_call", message: error instanceof Error ? error.message : String(error) },
});

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

/** The HTTP status that a model's API failed with; null where it was not even reached. */
export function modelStatus(failure: unknown): number | null {
  const causes = [failure, (failure as { lastError?: unknown } | null)?.lastError];
  const failed = causes.find((each) => APICallError.isInstance(each));
  return failed?.statusCode ?? null;
}
