import {
  argumentsText,
  callIds,
  type Loose,
  looseObject,
  type ModelTurn,
  readInput,
  type TurnStream,
  takeInput,
  textIn,
} from "./model-turn.ts";
import type { OfferedTool } from "./tool-choice.ts";
import { refuseProviderError, type ToolOutcome } from "./tool-outcome.ts";

/** A tool of Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: "object"; [key: string]: unknown };
}

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: true;
}

export const anthropicTools = (tools: readonly OfferedTool[]): AnthropicTool[] =>
  tools.map(({ modelName, description, inputSchema }) => ({
    name: modelName,
    description,
    input_schema: inputSchema,
  }));

/**
 * Reads a response; its content goes back into the history unchanged, thinking included.
 * @throws AgentError `provider_error`
 */
export function anthropicTurn<Block extends { readonly type: string }>(response: {
  readonly content?: readonly Block[] | null;
  readonly error?: unknown;
}): ModelTurn<{ role: "assistant"; content: Block[] }> {
  refuseProviderError(response.error);
  const idOf = callIds();
  const content = (response.content ?? [])
    .filter((block) => typeof block === "object" && block !== null)
    .map((block) =>
      block.type === "tool_use" ? { ...block, id: idOf(looseObject(block).id) } : block,
    );
  return {
    text: content.map(textOf).join(""),
    calls: content.flatMap((block) => {
      if (block.type !== "tool_use") return [];
      const { id, name, input } = looseObject(block);
      return [{ id: textIn(id), modelName: textIn(name), input: takeInput(input) }];
    }),
    messages: [{ role: "assistant", content }],
  };
}

const textOf = (block: { readonly type: string; readonly text?: unknown }): string =>
  block.type === "text" ? textIn(block.text) : "";

/** All results of a turn go into one user message. */
export const anthropicResults = (
  outcomes: readonly ToolOutcome[],
): { role: "user"; content: AnthropicToolResult[] }[] => [
  {
    role: "user",
    content: outcomes.map(({ id, text, isError }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: text,
      ...(isError ? { is_error: true } : {}),
    })),
  },
];

/** A block of a turn that was streamed, as the Messages API takes it back. */
export type AnthropicBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

/** What is read of a stream's events. */
export interface AnthropicEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: unknown;
  readonly delta?: unknown;
}

interface OpenBlock {
  readonly block: AnthropicBlock;
  /** Arguments so far: text until the block ends. */
  json: string;
}

/** Puts a turn of the Messages API together from its server-sent events. */
export function anthropicStream(): TurnStream<
  AnthropicEvent,
  { role: "assistant"; content: AnthropicBlock[] }
> {
  const open = new Map<number, OpenBlock>();
  const idOf = callIds();
  let last = -1;
  const start = (place: number, block: AnthropicBlock | null): string => {
    if (block === null) return "";
    last = place;
    open.set(place, { block, json: "" });
    return block.type === "text" ? block.text : "";
  };
  return {
    push(event) {
      const { type, index, content_block, delta, error }: Loose = looseObject(event);
      // Some servers number no blocks; they send one after the other.
      const place = (next: number) => (typeof index === "number" ? index : next);
      switch (type) {
        case "error":
          refuseProviderError(error ?? "");
          return "";
        case "content_block_start":
          return start(place(last + 1), blockOf(looseObject(content_block), idOf));
        case "content_block_delta": {
          const at = open.get(place(last));
          return at === undefined ? "" : extend(at, looseObject(delta));
        }
        default:
          return "";
      }
    },
    turn() {
      const blocks = [...open].toSorted(([a], [b]) => a - b).map(([, each]) => each);
      const calls = blocks.flatMap(({ block, json }) => {
        if (block.type !== "tool_use") return [];
        const input = json === "" ? takeInput(block.input) : readInput(json);
        return [{ id: block.id, modelName: block.name, input }];
      });
      const content = blocks.map(({ block, json }) =>
        block.type === "tool_use" && json !== ""
          ? { ...block, input: { ...readInput(json) } }
          : block,
      );
      const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
      // The API takes no empty texts back.
      const said = content.filter((block) => block.type !== "text" || block.text !== "");
      return { text, calls, messages: [{ role: "assistant", content: said }] };
    },
  };
}

/** The model's own servers run blocks of other kinds, which come only in responses without streaming. */
function blockOf(start: Loose, idOf: (given: unknown) => string): AnthropicBlock | null {
  switch (start.type) {
    case "text":
      return { type: "text", text: textIn(start.text) };
    case "thinking":
      return {
        type: "thinking",
        thinking: textIn(start.thinking),
        signature: textIn(start.signature),
      };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: textIn(start.data) };
    case "tool_use":
      return {
        type: "tool_use",
        id: idOf(start.id),
        name: textIn(start.name),
        input: { ...looseObject(start.input) },
      };
    default:
      return null;
  }
}

/** @returns the words it added */
function extend(at: OpenBlock, delta: Loose): string {
  const { block } = at;
  if (delta.type === "text_delta" && block.type === "text") {
    block.text += textIn(delta.text);
    return textIn(delta.text);
  }
  if (delta.type === "input_json_delta") at.json += argumentsText(delta.partial_json);
  if (block.type === "thinking") {
    if (delta.type === "thinking_delta") block.thinking += textIn(delta.thinking);
    if (delta.type === "signature_delta") block.signature += textIn(delta.signature);
  }
  return "";
}
