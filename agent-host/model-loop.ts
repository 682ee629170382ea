import {
  generateText,
  type ModelMessage,
  NoSuchToolError,
  streamText,
  type TextStreamPart,
  type ToolSet,
  wrapLanguageModel,
} from "ai";
import type { JsonObject } from "../app/contract/json.ts";
import { adviceFor } from "../sdk/models/index.ts";
import type { CallableModel } from "./providers.ts";

/** What happens in a run, in order. */
export type RunEvent =
  | { readonly type: "step" | "step.end" }
  | { readonly type: "text"; readonly delta: string }
  | {
      readonly type: "tool.start";
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: "tool.output" | "tool.complete";
      readonly callId: string;
      readonly name: string;
      readonly output: unknown;
    };

export interface ModelRun {
  /** As the AI SDK names it; `interrupted`: the model did not come to an end. */
  readonly finishReason: string;
  /** The error of the model's API; null if there was none, or the run was aborted. */
  readonly failure: unknown;
  /** Said and called in the steps whose calls all have results. */
  readonly messages: readonly ModelMessage[];
}

type Settings = Pick<
  Parameters<typeof streamText<ToolSet>>[0],
  "model" | "instructions" | "allowSystemInMessages" | "tools" | "abortSignal" | "stopWhen"
> & { readonly messages: ModelMessage[] };

/**
 * Runs a model and the tools that it calls until it stops. Events are told one after the other.
 * @param isWatched false: each turn of the model is asked for whole, which costs a third of its coming
 *   in pieces
 */
export async function runModel(
  settings: Settings,
  tell: (event: RunEvent) => void | Promise<void>,
  isWatched: boolean,
): Promise<ModelRun> {
  const invalid = new InvalidCalls();
  const messages: ModelMessage[] = [];
  let finishReason = "interrupted";
  let failure: unknown = null;
  const take = async (part: Part): Promise<void> => {
    invalid.note(part);
    const event = eventOf(part, invalid);
    if (event !== null) await tell(event);
    else if (part.type === "finish") finishReason = part.finishReason;
    else if (part.type === "error") failure = part.error;
  };
  const options = {
    ...settings,
    prepareStep: ({ messages: all }: { readonly messages: ModelMessage[] }) => ({
      messages: invalid.answeredIn(all),
    }),
  };
  const keep = (step: Step): void => {
    if (isAnswered(step)) messages.push(...step.response.messages);
  };
  const isAborted = (): boolean => settings.abortSignal?.aborted === true;
  try {
    if (isWatched) {
      const run = streamText({ ...options, onError: () => {}, onStepEnd: keep });
      for await (const part of run.stream) await take(part);
    } else {
      const { finishReason: reason } = await generateText({
        ...options,
        async onStepEnd(step) {
          await tell({ type: "step" });
          for (const part of step.content) {
            if (part.type === "text") await take({ ...part, type: "text-delta", id: "" });
            else if (isToolPart(part)) await take(part);
          }
          await tell({ type: "step.end" });
          keep(step);
        },
      });
      finishReason = reason;
    }
  } catch (error) {
    if (!isAborted()) failure = error;
  }
  return { finishReason, failure, messages: invalid.answeredIn(messages) };
}

type Part = TextStreamPart<ToolSet>;
type ToolPart = Extract<Part, { readonly type: "tool-call" | "tool-result" | "tool-error" }>;

const isToolPart = (part: { readonly type: string }): part is ToolPart =>
  ["tool-call", "tool-result", "tool-error"].includes(part.type);

function eventOf(part: Part, invalid: InvalidCalls): RunEvent | null {
  switch (part.type) {
    case "start-step":
      return { type: "step" };
    case "finish-step":
      return { type: "step.end" };
    case "text-delta":
      return part.text === "" ? null : { type: "text", delta: part.text };
    case "tool-call":
      return { ...calledIn(part), type: "tool.start", input: part.input };
    case "tool-result":
      return { ...calledIn(part), type: "tool.complete", output: part.output };
    case "tool-error": {
      // A call that ended with the run has no output.
      const output = invalid.outputOf(part.toolCallId);
      return output && { ...calledIn(part), type: "tool.complete", output };
    }
    default:
      return null;
  }
}

const calledIn = ({ toolCallId: callId, toolName: name }: ToolPart) => ({ callId, name });

interface Step {
  readonly content: readonly { readonly type: string }[];
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** A step that broke off may have calls without results, which providers refuse in a history. */
function isAnswered({ content }: Step): boolean {
  const calls = content.filter(({ type }) => type === "tool-call");
  return calls.length === content.filter(({ type }) => /^tool-(?:result|error)$/.test(type)).length;
}

/** Calls that cannot begin. The AI SDK answers them in words of its own, which nobody is to read. */
class InvalidCalls {
  readonly #outputs = new Map<string, JsonObject>();

  note(part: Part): void {
    if (part.type !== "tool-call" || part.invalid !== true) return;
    const code = NoSuchToolError.isInstance(part.error) ? "unknown_tool" : "arguments_not_json";
    this.#outputs.set(part.toolCallId, { error: { code, message: adviceFor(code) } });
  }

  outputOf(callId: string): JsonObject | null {
    return this.#outputs.get(callId) ?? null;
  }

  answeredIn(messages: readonly ModelMessage[]): ModelMessage[] {
    return messages.map((message) => {
      if (message.role !== "tool" || this.#outputs.size === 0) return message;
      const content = message.content.map((part) => {
        const value = part.type === "tool-result" ? this.outputOf(part.toolCallId) : null;
        return value === null ? part : { ...part, output: { type: "json" as const, value } };
      });
      return { ...message, content } as ModelMessage;
    });
  }
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/** The same model, and what all its answers have taken so far, those that tools asked for too. */
export function countedModel(model: CallableModel): {
  readonly model: CallableModel;
  readonly usage: () => Usage;
} {
  let inputTokens = 0;
  let outputTokens = 0;
  const add = (usage: Counted): void => {
    inputTokens += usage.inputTokens.total ?? 0;
    outputTokens += usage.outputTokens.total ?? 0;
  };
  const counting = wrapLanguageModel({
    model,
    middleware: {
      async wrapGenerate({ doGenerate }) {
        const result = await doGenerate();
        add(result.usage);
        return result;
      },
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        const counted = stream.pipeThrough(
          new TransformStream({
            transform(part, parts) {
              if (part.type === "finish") add(part.usage);
              parts.enqueue(part);
            },
          }),
        );
        return { ...rest, stream: counted };
      },
    },
  });
  const usage = () => ({ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens });
  return { model: counting, usage };
}

interface Counted {
  readonly inputTokens: { readonly total: number | undefined };
  readonly outputTokens: { readonly total: number | undefined };
}
