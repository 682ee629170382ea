import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { AgentError } from "../errors.ts";
import { modelNames, modelSchema, strictCheck } from "./model-tools.ts";
import type { ModelCall } from "./model-turn.ts";

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

/** @throws AgentError `tool_not_offered` */
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
    if (tool === undefined) throw new AgentError("tool_not_offered", { value: choice.name });
    return forms.tool(tool.modelName);
  };
}

/** A tool that is never run: the model is made to call it, and its arguments are the answer. */
export interface StructuredOutput extends OfferedTool {
  readonly choice: ToolChoice;
  /**
   * What the model filled in, checked.
   * @throws AgentError `missing`, `not_json`, `schema_violation`
   */
  read(turn: { readonly calls: readonly ModelCall[] }): JsonValue;
}

/**
 * An answer in a fixed form: offer it among the tools, with its `choice`.
 * @param schema of an object
 * @throws AgentError `schema_unsupported`
 */
export function structuredOutput(
  name: string,
  description: string,
  schema: JsonObject,
): StructuredOutput {
  const check = strictCheck(schema);
  if (check === null) throw new AgentError("schema_unsupported");
  const modelName = modelNames([name]).get(name) ?? name;
  const { schema: inputSchema, note } = modelSchema(schema);
  return {
    name,
    modelName,
    description: note === null ? description : `${description}\n\n${note}`,
    inputSchema,
    choice: { mode: "tool", name },
    read({ calls }) {
      const call = calls.find((each) => each.modelName === modelName);
      if (call === undefined) throw new AgentError("missing");
      if (call.input === null) throw new AgentError("not_json");
      const violation = check(call.input);
      if (violation !== null) {
        const place = violation.pointer || "the top level";
        const message = `schema_violation at ${place}`;
        throw new AgentError("schema_violation", { path: violation.pointer, message });
      }
      return call.input;
    },
  };
}
