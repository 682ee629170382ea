import {
  argumentsText,
  callIds,
  type Loose,
  looseList,
  looseObject,
  type ModelTurn,
  readInput,
  type TurnStream,
  textIn,
} from "./model-turn.ts";
import type { OfferedTool } from "./tool-choice.ts";
import { refuseProviderError, type ToolOutcome } from "./tool-outcome.ts";

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

/**
 * Reads a response; its output goes back into the input unchanged, reasoning included.
 * @throws AgentError `provider_error`
 */
export function openAiResponsesTurn<Item extends { readonly type: string }>(response: {
  readonly output?: readonly Item[] | null;
  readonly error?: unknown;
}): ModelTurn<Item> {
  refuseProviderError(response.error);
  const idOf = callIds();
  const output = (response.output ?? [])
    .filter((item) => typeof item === "object" && item !== null)
    .map((item) => (item.type === "function_call" ? asCall(item, idOf) : item));
  return {
    text: output.map(textOf).join(""),
    calls: output.flatMap((item) => {
      if (item.type !== "function_call") return [];
      const { call_id, name, arguments: text } = looseObject(item);
      return [{ id: textIn(call_id), modelName: textIn(name), input: readInput(textIn(text)) }];
    }),
    messages: output,
  };
}

/** The API takes a call back with its id and arguments as text. */
function asCall<Item extends object>(item: Item, idOf: (given: unknown) => string): Item {
  const { call_id, id, arguments: text } = looseObject(item);
  return { ...item, call_id: idOf(textIn(call_id) || id), arguments: argumentsText(text) };
}

function textOf(item: { readonly type: string; readonly content?: unknown }): string {
  if (item.type !== "message") return "";
  return looseList(item.content)
    .map(({ type, text }) => (type === "output_text" ? textIn(text) : ""))
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
  /** By place in the output, or by id where the server numbers none. */
  const items = new Map<unknown, { readonly item: Item; text: string | null }>();
  const placeOf = ({ output_index, item_id, item }: Loose): unknown =>
    output_index ?? item_id ?? looseObject(item).id;
  /** The last item that is not whole yet. */
  const openPlace = (): unknown => [...items].findLast(([, { text }]) => text !== null)?.[0];
  return {
    push(event) {
      const read: Loose = looseObject(event);
      refuseProviderError(errorIn(read));
      switch (read.type) {
        case "response.output_text.delta":
          return textIn(read.delta);
        case "response.function_call_arguments.delta": {
          const open = items.get(placeOf(read) ?? openPlace());
          if (open !== undefined) open.text = (open.text ?? "") + argumentsText(read.delta);
          break;
        }
        case "response.output_item.added":
        case "response.output_item.done": {
          const isDone = read.type === "response.output_item.done";
          if (typeof read.item !== "object" || read.item === null) break;
          const place = placeOf(read) ?? (isDone ? openPlace() : undefined) ?? items.size;
          items.set(place, { item: read.item as Item, text: isDone ? null : "" });
          break;
        }
        default:
      }
      return "";
    },
    turn() {
      const numbered = [...items].toSorted(([a], [b]) =>
        typeof a === "number" && typeof b === "number" ? a - b : 0,
      );
      const output = numbered.map(([, { item, text }]) => {
        const isCut = text !== null && item.type === "function_call";
        return isCut ? { ...item, arguments: text } : item;
      });
      return openAiResponsesTurn({ output });
    },
  };
}

function errorIn({ type, error, message, response }: Loose): unknown {
  if (type === "error") return error ?? message ?? "";
  return type === "response.failed" ? (looseObject(response).error ?? "") : undefined;
}
