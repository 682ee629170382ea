import type { TurnStream } from "./model-turn.ts";
import { openAiResponsesTurn } from "./openai-responses.ts";

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
