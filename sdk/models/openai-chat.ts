import { type ModelTurn, readInput, type TurnStream } from "./model-turn.ts";
import type { OfferedTool } from "./tool-choice.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** A tool of OpenAI's Chat Completions API, which many other servers speak too. */
export interface OpenAiChatTool {
  type: "function";
  function: { name: string; description: string; parameters: { [key: string]: unknown } };
}

export interface OpenAiChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface OpenAiChatAssistantMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: OpenAiChatToolCall[];
}

export const openAiChatTools = (tools: readonly OfferedTool[]): OpenAiChatTool[] =>
  tools.map(({ modelName, description, inputSchema }) => ({
    type: "function",
    function: { name: modelName, description, parameters: inputSchema },
  }));

/** Reads the first choice of a response; other choices are alternatives, and call nothing. */
export function openAiChatTurn(response: {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly unknown[] };
  }[];
}): ModelTurn<OpenAiChatAssistantMessage> {
  const message = response.choices[0]?.message;
  return chatTurn(message?.content ?? null, (message?.tool_calls ?? []).flatMap(functionCall));
}

/** The turn that a text and calls make. */
function chatTurn(
  content: string | null,
  toolCalls: readonly OpenAiChatToolCall[],
): ModelTurn<OpenAiChatAssistantMessage> {
  return {
    text: content ?? "",
    calls: toolCalls.map(({ id, function: { name, arguments: text } }) => ({
      id,
      modelName: name,
      input: readInput(text),
    })),
    messages: [
      {
        role: "assistant",
        content,
        ...(toolCalls.length === 0 ? {} : { tool_calls: [...toolCalls] }),
      },
    ],
  };
}

/** Custom tools take free text; none is offered here, so the model calls none. */
function functionCall(value: unknown): OpenAiChatToolCall[] {
  const { id, function: called } = value as Partial<OpenAiChatToolCall>;
  if (called === undefined) return [];
  // Some servers leave empty arguments out.
  const whole = { ...called, arguments: called.arguments ?? "" };
  return [{ id: String(id), type: "function", function: whole }];
}

export const openAiChatResults = (
  outcomes: readonly ToolOutcome[],
): { role: "tool"; tool_call_id: string; content: string }[] =>
  outcomes.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));

/** What is read of a chunk of Chat Completions. */
export interface OpenAiChatChunk {
  readonly choices: readonly {
    readonly index?: number;
    readonly delta: {
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly index?: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
}

/** Puts a turn of Chat Completions together from its chunks. */
export function openAiChatStream(): TurnStream<OpenAiChatChunk, OpenAiChatAssistantMessage> {
  const calls: OpenAiChatToolCall[] = [];
  /** Index in the stream to place in `calls`; some servers give none. */
  const places = new Map<number, number>();
  let content: string | null = null;

  const placeOf = (index: number | undefined, id: string | undefined): number => {
    const byId = id === undefined || id === "" ? -1 : calls.findIndex((call) => call.id === id);
    if (byId >= 0) return byId;
    const known = index === undefined ? undefined : places.get(index);
    if (known !== undefined) return known;
    // A chunk without index or id continues the previous call.
    if (index === undefined && !id && calls.length > 0) return calls.length - 1;
    calls.push({ id: id ?? "", type: "function", function: { name: "", arguments: "" } });
    if (index !== undefined) places.set(index, calls.length - 1);
    return calls.length - 1;
  };

  return {
    push({ choices }) {
      const choice = choices.find(({ index = 0 }) => index === 0);
      for (const piece of choice?.delta.tool_calls ?? []) {
        const call = calls[placeOf(piece.index, piece.id)];
        if (call === undefined) continue;
        call.function.name += piece.function?.name ?? "";
        call.function.arguments += piece.function?.arguments ?? "";
      }
      const added = choice?.delta.content ?? "";
      if (added !== "") content = (content ?? "") + added;
      return added;
    },
    turn: () => chatTurn(content, calls),
  };
}
