import { jsonSchema, type ToolSet } from "ai";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import type { HostTool } from "../tools/host-tool.ts";
import type { ReadyTool } from "./choose-tools.ts";

/** The tools as the AI SDK takes them. */
export const toolSet = (
  tools: readonly ReadyTool[],
  run: (
    tool: HostTool,
    context: JsonObject,
    input: JsonObject,
    callId: string,
  ) => Promise<JsonValue>,
): ToolSet =>
  Object.fromEntries(
    tools.map(({ tool, context }) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: jsonSchema<JsonObject>(tool.inputSchema as object),
        execute: (input: JsonObject, { toolCallId }) => run(tool, context, input, toolCallId),
      } satisfies ToolSet[string],
    ]),
  );
