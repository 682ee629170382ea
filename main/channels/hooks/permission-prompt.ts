import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../app/contract/json.ts";
import { askProgram } from "./ask-program.ts";
import type { HookPlace } from "./hook-place.ts";

const PERMISSION_PROMPT = "permission_prompt";

/** Before the shortest limit that Claude Code's people set for its tools, which is 300 s. */
const LIMIT_MS = 280_000;

/**
 * The tool for Claude Code's `--permission-prompt-tool`: what it hands over is a hook's question, asked
 * where its hooks ask, as the same agent.
 * @param folder the agent's own, in which relative paths are
 */
export function permissionPrompt(where: Omit<HookPlace, "agent">, folder: string) {
  const session = randomUUID();
  const place = { ...where, agent: "claude-code" } as const;
  return {
    tool: {
      name: PERMISSION_PROMPT,
      description:
        "For Claude Code itself, not for its model: asks the person whether one of its own tools may run.",
      inputSchema: {
        type: "object" as const,
        properties: {
          tool_name: { type: "string" },
          input: { type: "object" },
          tool_use_id: { type: "string" },
        },
        required: ["tool_name", "input"],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async call({ tool_name, input, tool_use_id }: JsonObject): Promise<string> {
      const question = {
        session_id: session,
        cwd: folder,
        // The agent's own question, in whichever way it is connected.
        hook_event_name: "PermissionRequest",
        tool_name: tool_name ?? null,
        tool_input: input ?? null,
        tool_use_id: tool_use_id ?? null,
      };
      const bytes = Buffer.from(JSON.stringify(question));
      const said: JsonObject = JSON.parse(await askProgram(place, "prompt", bytes, LIMIT_MS));
      // Claude Code 2.1.197 takes a yes only with what the tool is to be given.
      return JSON.stringify(said.behavior === "allow" ? { updatedInput: input, ...said } : said);
    },
  };
}
