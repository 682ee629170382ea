import { generateText, type ModelMessage, streamText, type TextStreamPart, type ToolSet } from "ai";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { type ArgumentCheck, argumentCheck } from "../../sdk/models/model-tools.ts";
import { partsOf } from "../providers.ts";
import { type HostTool, HostToolError, type ToolRun } from "../tools/host-tool.ts";
import type { RunEvent } from "./history.ts";

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/** What came of a run, as far as it got. */
export interface Outcome {
  usage: Usage;
  ending: string;
  failure: unknown;
}

type Settings = Pick<
  Parameters<typeof generateText<ToolSet>>[0],
  "model" | "allowSystemInMessages" | "tools" | "abortSignal" | "stopWhen" | "maxRetries"
> & { readonly messages: ModelMessage[] };

type Run = (settings: Settings, tell: (event: RunEvent) => void, outcome: Outcome) => Promise<void>;

/** Nobody watches: the model's turns come whole, which costs a third of their coming in pieces. */
export const runWhole: Run = async (settings, tell, outcome) => {
  try {
    const { finishReason } = await generateText({
      ...settings,
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

export const runStreaming: Run = async (settings, tell, outcome) => {
  const { stream } = streamText({ ...settings, onError: () => {} });
  for await (const part of partsOf(stream)) take(part, tell, outcome);
};

type Part = TextStreamPart<ToolSet>;
type ToolPart = Extract<Part, { readonly type: "tool-call" | "tool-result" | "tool-error" }>;

const isToolPart = (part: { readonly type: string }): part is ToolPart =>
  ["tool-call", "tool-result", "tool-error"].includes(part.type);

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

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

/** What the model reads of a call that could not even begin: its name or input was wrong. */
const errorOutput = (error: unknown): object => ({
  error: { code: "invalid_call", message: error instanceof Error ? error.message : String(error) },
});

/** Compiled at a tool's first call, then reused. */
const CHECKS = new WeakMap<HostTool, ArgumentCheck>();

function checkOf(tool: HostTool): ArgumentCheck {
  const known = CHECKS.get(tool) ?? argumentCheck(tool.inputSchema);
  CHECKS.set(tool, known);
  return known;
}

/** Counts a run's steps, beginning with the model's first, and runs its tools while there are some left. */
export class ToolSteps {
  readonly #atMost: number;
  #taken = 1;

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  get areUsedUp(): boolean {
    return this.#taken >= this.#atMost;
  }

  /** Takes the next step; false when there is none left. */
  next(): boolean {
    if (this.areUsedUp) return false;
    this.#taken += 1;
    return true;
  }

  /** Resolves with the output. A failure is an output too, so that the model can read it. */
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
    try {
      return await tool.execute(input, run);
    } catch (error) {
      if (error instanceof HostToolError) return failure(error.code, error.message);
      if (run.signal.aborted) return failure("aborted", "The request ended before this did.");
      // A bug in the tool: its message may contain secrets, so it is not passed on.
      return failure("tool_failed", "The tool failed; do not repeat this call.");
    }
  }
}

const failure = (code: string, message: string): JsonObject => ({ error: { code, message } });
