import { takeInput } from "./model-call.ts";
import type { ModelTurn } from "./model-turn.ts";
import type { OfferedTool } from "./tool-choice.ts";
import type { ToolOutcome } from "./tool-outcome.ts";

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

/** Reads a response; its content goes back into the history unchanged, thinking included. */
export function anthropicTurn<Block extends { readonly type: string }>(response: {
  readonly content: readonly Block[];
}): ModelTurn<{ role: "assistant"; content: Block[] }> {
  const content = [...response.content];
  return {
    text: content.map(textOf).join(""),
    calls: content.flatMap((block) => {
      if (block.type !== "tool_use") return [];
      const { id, name, input } = block as { id?: unknown; name?: unknown; input?: unknown };
      return [{ id: String(id), modelName: String(name), input: takeInput(input) }];
    }),
    messages: [{ role: "assistant", content }],
  };
}

const textOf = (block: { readonly type: string; readonly text?: unknown }): string =>
  block.type === "text" && typeof block.text === "string" ? block.text : "";

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
