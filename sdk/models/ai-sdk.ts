import type { JsonValue } from "../../app/contract/json.ts";
import { AgentError } from "../errors.ts";
import type { ModelTool } from "./model-tools.ts";
import { takeInput } from "./model-turn.ts";
import type { ToolRunner } from "./tool-runner.ts";

/** One tool as the AI SDK's `generateText` and `streamText` take it; `Schema` is the AI SDK's. */
export interface AiSdkTool<Schema> {
  description: string;
  inputSchema: Schema;
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal },
  ): Promise<JsonValue>;
}

/**
 * A manifest's tools for the AI SDK, which runs the loop. A call that fails throws an AgentError, whose
 * message the AI SDK passes to the model as the tool's error.
 * @param jsonSchema the AI SDK's own function of that name
 */
export function aiSdkTools<Schema>(
  tools: readonly ModelTool[],
  runner: ToolRunner,
  jsonSchema: (schema: ModelTool["inputSchema"]) => Schema,
): Record<string, AiSdkTool<Schema>> {
  return Object.fromEntries(
    tools.map(({ modelName, description, inputSchema }) => [
      modelName,
      {
        description,
        inputSchema: jsonSchema(inputSchema),
        async execute(input, { toolCallId, abortSignal }) {
          const call = { id: toolCallId, modelName, input: takeInput(input) };
          const outcome = await runner.run(call, abortSignal);
          if (outcome.isError) throw new AgentError(outcome.code, { message: outcome.text });
          return outcome.result;
        },
      } satisfies AiSdkTool<Schema>,
    ]),
  );
}
