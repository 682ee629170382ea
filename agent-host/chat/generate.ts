import { generateText, type ModelMessage, streamText, type TextStreamPart, type ToolSet } from "ai";
import { partsOf } from "../stream-parts.ts";
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
