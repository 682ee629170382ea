import { type ModelTurn, readInput, type TurnStream } from "./model-turn.ts";
import type { OfferedTool } from "./tool-choice.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

/** A tool of OpenAI's Responses API. */
export interface OpenAiResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: { [key: string]: unknown };
  /** Strict mode takes a part of JSON Schema only; arguments are checked here either way. */
  strict: false;
}

export const openAiResponsesTools = (tools: readonly OfferedTool[]): OpenAiResponsesTool[] =>
  tools.map(({ modelName, description, inputSchema }) => ({
    type: "function",
    name: modelName,
    description,
    parameters: inputSchema,
    strict: false,
  }));

/** Reads a response; its output goes back into the input unchanged, reasoning included. */
export function openAiResponsesTurn<Item extends { readonly type: string }>(response: {
  readonly output: readonly Item[];
}): ModelTurn<Item> {
  return {
    text: response.output.map(textOf).join(""),
    calls: response.output.flatMap((item) => {
      if (item.type !== "function_call") return [];
      const {
        call_id,
        name,
        arguments: text = "",
      } = item as {
        call_id?: unknown;
        name?: unknown;
        arguments?: unknown;
      };
      return [{ id: String(call_id), modelName: String(name), input: readInput(String(text)) }];
    }),
    messages: response.output,
  };
}

function textOf(item: { readonly type: string; readonly content?: unknown }): string {
  if (item.type !== "message" || !Array.isArray(item.content)) return "";
  return item.content
    .map((part: { type?: unknown; text?: unknown }) =>
      part.type === "output_text" && typeof part.text === "string" ? part.text : "",
    )
    .join("");
}

export const openAiResponsesResults = (
  outcomes: readonly ToolOutcome[],
): { type: "function_call_output"; call_id: string; output: string }[] =>
  outcomes.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text }));

/** What is read of the events of the Responses API. */
export type OpenAiResponsesEvent<Item> =
  | {
      readonly type: "response.output_item.added" | "response.output_item.done";
      readonly output_index: number;
      readonly item: Item;
    }
  | { readonly type: "response.output_text.delta"; readonly delta: string }
  | {
      readonly type: "response.function_call_arguments.delta";
      readonly output_index: number;
      readonly delta: string;
    }
  | { readonly type: string };

/** Puts a turn of the Responses API together from its server-sent events. */
export function openAiResponsesStream<
  Item extends { readonly type: string } = { readonly type: string },
>(): TurnStream<OpenAiResponsesEvent<Item>, Item> {
  const items = new Map<number, Item>();
  const unfinished = new Map<number, string>();
  return {
    push(event) {
      if ("item" in event) {
        items.set(event.output_index, event.item);
        if (event.type === "response.output_item.done") unfinished.delete(event.output_index);
        else unfinished.set(event.output_index, "");
      } else if ("delta" in event) {
        if (event.type === "response.output_text.delta") return event.delta;
        if ("output_index" in event && event.type === "response.function_call_arguments.delta") {
          const before = unfinished.get(event.output_index) ?? "";
          unfinished.set(event.output_index, before + event.delta);
        }
      }
      return "";
    },
    turn() {
      const output = [...items]
        .toSorted(([a], [b]) => a - b)
        .map(([index, item]) => {
          const text = unfinished.get(index);
          const isCut = text !== undefined && item.type === "function_call";
          return isCut ? { ...item, arguments: text } : item;
        });
      return openAiResponsesTurn({ output });
    },
  };
}
