import type { TurnStream } from "./model-turn.ts";
import {
  chatTurn,
  type OpenAiChatAssistantMessage,
  type OpenAiChatToolCall,
} from "./openai-chat.ts";

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
