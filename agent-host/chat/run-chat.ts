import {
  convertToModelMessages,
  jsonSchema,
  type ModelMessage,
  type ToolSet,
  type UIMessage,
} from "ai";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { type ArgumentCheck, argumentCheck } from "../../sdk/models/model-tools.ts";
import { countedModel, type ModelRun, type RunEvent, runModel, type Usage } from "../model-loop.ts";
import type { CallableModel } from "../providers.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";
import { type HostTool, hostToolError, type ToolRun } from "../tools/host-tool.ts";
import type { ChatRequest, HistoryMessage, ReadyTool } from "./chat-request.ts";
import { History } from "./history.ts";

/** Maximum steps of one request: the model's turns and the tools' calls, counted together. */
const STEPS_AT_MOST = 30;
/** Maximum duration of one request, in milliseconds. */
export const RUN_MS = 120_000;

type Unfinished = "step_limit" | "timeout" | "model_error" | "length";

export interface RunResult {
  readonly messages: readonly HistoryMessage[];
  readonly usage: Usage;
  /** Names of the tools that were executed, each once, in order. */
  readonly used: readonly string[];
  /** Why the run ended before the model was done; null if it was done. */
  readonly unfinished: Unfinished | null;
  /** The error of the model's API; null if there was none. */
  readonly failure: unknown;
}

export interface RunOptions {
  readonly model: CallableModel;
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
  const { request, key, sandboxes, gone, onEvent } = options;
  const { model, usage } = countedModel(options.model);
  const timeout = AbortSignal.timeout(RUN_MS);
  const signal = AbortSignal.any([timeout, gone]);
  const history = new History();
  const steps = new ToolSteps(STEPS_AT_MOST);
  const tell = (event: RunEvent): void => {
    history.add(event);
    onEvent?.(event);
  };
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
  const run = await runModel(settings, tell, onEvent !== undefined);
  return {
    messages: history.messages,
    used: steps.used,
    usage: usage(),
    unfinished: timeout.aborted ? "timeout" : unfinishedBy(run, steps.areUsedUp),
    failure: run.failure,
  };
}

function unfinishedBy(run: ModelRun, areStepsUsedUp: boolean): Unfinished | null {
  if (run.failure !== null) return "model_error";
  switch (run.finishReason) {
    case "stop":
    case "content-filter":
      return null;
    case "tool-calls":
      return areStepsUsedUp ? "step_limit" : "model_error";
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

/** Compiled at a tool's first call, then reused. */
const CHECKS = new WeakMap<HostTool, ArgumentCheck>();

function checkOf(tool: HostTool): ArgumentCheck {
  const known = CHECKS.get(tool) ?? argumentCheck(tool.inputSchema);
  CHECKS.set(tool, known);
  return known;
}

/** Counts a run's steps, beginning with the model's first, and runs its tools while there are some left. */
class ToolSteps {
  readonly #atMost: number;
  /** Of a call that was refused: undefined. */
  readonly #executed: (HostTool | undefined)[] = [];
  #taken = 1;

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  get areUsedUp(): boolean {
    return this.#taken >= this.#atMost;
  }

  get used(): readonly string[] {
    return [...new Set(this.#executed.flatMap((tool) => tool?.name ?? []))];
  }

  /** Takes the next step; false when there is none left. */
  next(): boolean {
    if (this.areUsedUp) return false;
    this.#taken += 1;
    return true;
  }

  /**
   * Resolves with the output. A failure is an output too, so that the model can read it.
   * @throws the signal's reason if the run has ended: then there is no output
   */
  async run(tool: HostTool, input: JsonObject, run: ToolRun): Promise<JsonValue> {
    if (!this.next()) {
      return failure("step_limit", "The request has no steps left, so this was not run.");
    }
    const violation = checkOf(tool)(input);
    if (violation !== null) {
      const { pointer, keyword } = violation;
      const place = pointer === "" ? "the top level" : pointer;
      return failure("invalid_input", `Correct the input at ${place}: it breaks "${keyword}".`);
    }
    run.signal.throwIfAborted();
    const at = this.#executed.push(tool) - 1;
    try {
      return await tool.execute(input, run);
    } catch (error) {
      const isRefusal = hostToolError.is(error) && error.details?.isRefusal === true;
      if (isRefusal) this.#executed[at] = undefined;
      run.signal.throwIfAborted();
      if (hostToolError.is(error)) return failure(error.code, error.message);
      // A bug in the tool: its message may contain secrets, so it is not passed on.
      return failure("tool_failed", "The tool failed; do not repeat this call.");
    }
  }
}

const failure = (code: string, message: string): JsonObject => ({ error: { code, message } });
