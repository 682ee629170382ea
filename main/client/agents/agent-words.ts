import {
  AGENT_WORDS_MAX,
  AGENT_WORDS_TOOLS,
  type AgentWords,
} from "../../../app/bridge/agent-words.ts";
import type { ManifestScope, ManifestTool } from "../../../app/contract/manifest.ts";
import { shortened } from "../../tools/platform/notification-fold.ts";

/** What the agent says of this permission and of these of its tools. */
export function agentWords(
  scope: ManifestScope | undefined,
  tools: readonly ManifestTool[],
): AgentWords {
  const said = tools.flatMap(({ name, description_fallback }) => {
    const words = cut(description_fallback);
    // A name that is merely repeated describes nothing; a permission's neither.
    return words === null || words === name ? [] : [{ name, words }];
  });
  const label = cut(scope?.label_fallback);
  return {
    label: label === scope?.id ? null : label,
    description: cut(scope?.description_fallback),
    tools: said.slice(0, AGENT_WORDS_TOOLS),
    more: Math.max(0, said.length - AGENT_WORDS_TOOLS),
  };
}

function cut(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : shortened(trimmed, AGENT_WORDS_MAX);
}
