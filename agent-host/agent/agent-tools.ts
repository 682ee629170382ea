import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { type HasheeAgent, type Manifest, ToolCallError } from "../../sdk/index.ts";
import { adviceFor, outcomeCodeOf } from "../../sdk/models/advice.ts";
import { modelTools } from "../../sdk/models/index.ts";
import { RUN_MS } from "../chat/run-chat.ts";
import { type HostTool, HostToolError } from "../tools/host-tool.ts";

/** Tells a tool on a person's computer which conversation to use. */
const CONVERSATION = "conversation_id";

/**
 * The tools on the person's computer that the host was paired with. The model here asks; the
 * person's client decides and runs. A denial is an output that the model reads.
 */
export const agentTools = (
  agent: Pick<HasheeAgent, "callTool">,
  manifest: Manifest,
): readonly HostTool[] =>
  modelTools(manifest).map(({ name, modelName, description, inputSchema }) => ({
    name: modelName,
    description,
    inputSchema: inputSchema as HostTool["inputSchema"],
    requiredContext: [CONVERSATION],
    execute: (input, { context, signal }) =>
      call(agent, String(context[CONVERSATION]), name, input, signal),
  }));

async function call(
  agent: Pick<HasheeAgent, "callTool">,
  conversationId: string,
  name: string,
  input: JsonObject,
  signal: AbortSignal,
): Promise<JsonValue> {
  try {
    return await agent.callTool(conversationId, name, input, { signal, timeoutMs: RUN_MS });
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    const code = outcomeCodeOf(error);
    throw new HostToolError(code, adviceFor(code));
  }
}
