import { platformError, type Refusal, unavailable } from "../contract/codes.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ToolCall } from "../contract/tool-call.ts";
import type { Root } from "../grants/grant.ts";
import type { ExaminedCall } from "./examine-call.ts";
import { type Preview, type Scheduler, ToolFailure, ToolUnavailable } from "./ports.ts";

const NOTHING: Preview = { shown: null, seen: null };

/**
 * What the person sees of the call's effect. If it cannot be drawn, the call is refused without
 * asking. The exception is a folder not given yet, about which an agent must learn nothing: then the
 * person is asked.
 */
export async function drawPreview(
  scheduler: Scheduler,
  examined: ExaminedCall,
  call: ToolCall,
): Promise<Preview | Refusal> {
  if (examined.tool.preview === undefined) return NOTHING;
  const limit = new AbortController();
  const overdue = new Promise<never>((_, reject) => {
    limit.signal.addEventListener("abort", () => reject(new ToolFailure("tool_timeout")));
  });
  const cancelLimit = scheduler.after(LIMITS.previewMs, () => limit.abort("limit"));
  try {
    const { agent_id, roots: given } = examined.agent;
    const context = { agent_id, roots: rootsAsGiven(examined), given, signal: limit.signal };
    return await Promise.race([examined.tool.preview(call.arguments, context), overdue]);
  } catch (error) {
    return withoutPreview(examined, error);
  } finally {
    cancelLimit();
  }
}

function rootsAsGiven({ agent, wanted }: ExaminedCall): readonly Root[] {
  if (wanted?.kind !== "root_wanted") return agent.roots;
  const { suggested_path: path, access } = wanted;
  return [{ root_id: "", path, access, added_at: 0 }, ...agent.roots];
}

function withoutPreview({ wanted }: ExaminedCall, error: unknown): Preview | Refusal {
  if (error instanceof ToolUnavailable) return unavailable(error.word);
  const word = error instanceof ToolFailure ? error.word : "internal_error";
  if (wanted?.kind !== "root_wanted") return platformError(word);
  return { shown: { kind: "not_shown", word }, seen: null };
}
