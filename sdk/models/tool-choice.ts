/**
 * Whether the model calls a tool: it decides; at least one; this one; none. `name` is the name in the
 * manifest, not the model's.
 */
export type ToolChoice =
  | { readonly mode: "auto" }
  | { readonly mode: "any" }
  | { readonly mode: "tool"; readonly name: string }
  | { readonly mode: "none" };

/** What definitions and choices need to know about a tool of a manifest or a forced output. */
export interface OfferedTool {
  readonly name: string;
  readonly modelName: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
}

/** @throws RangeError when a tool is named that is not offered */
type WriteChoice<Form> = (choice: ToolChoice, tools: readonly OfferedTool[]) => Form;

export type AnthropicToolChoice =
  | { type: "auto" }
  | { type: "any" }
  | { type: "tool"; name: string }
  | { type: "none" };

type InWords = "auto" | "required" | "none";
export type OpenAiChatToolChoice = InWords | { type: "function"; function: { name: string } };
export type OpenAiResponsesToolChoice = InWords | { type: "function"; name: string };
export type AiSdkToolChoice = InWords | { type: "tool"; toolName: string };

/** How an API writes each mode; one tool is named as the model knows it. */
interface Forms<Form> {
  readonly auto: Form;
  readonly any: Form;
  readonly none: Form;
  readonly tool: (modelName: string) => Form;
}

const IN_WORDS = { auto: "auto", any: "required", none: "none" } as const;

export const anthropicToolChoice = writtenAs<AnthropicToolChoice>({
  auto: { type: "auto" },
  any: { type: "any" },
  none: { type: "none" },
  tool: (name) => ({ type: "tool", name }),
});

export const openAiChatToolChoice = writtenAs<OpenAiChatToolChoice>({
  ...IN_WORDS,
  tool: (name) => ({ type: "function", function: { name } }),
});

export const openAiResponsesToolChoice = writtenAs<OpenAiResponsesToolChoice>({
  ...IN_WORDS,
  tool: (name) => ({ type: "function", name }),
});

export const aiSdkToolChoice = writtenAs<AiSdkToolChoice>({
  ...IN_WORDS,
  tool: (toolName) => ({ type: "tool", toolName }),
});

function writtenAs<Form>(forms: Forms<Form>): WriteChoice<Form> {
  return (choice, tools) => {
    if (choice.mode !== "tool") return forms[choice.mode];
    const tool = tools.find(({ name }) => name === choice.name);
    if (tool === undefined) throw new RangeError(`tool_not_offered: ${choice.name}`);
    return forms.tool(tool.modelName);
  };
}
