/** Characters of one text that an agent wrote about itself. */
export const AGENT_WORDS_MAX = 300;
/** Tools of one permission whose descriptions are shown. */
export const AGENT_WORDS_TOOLS = 10;

/**
 * What an agent's manifest says of a permission in words of its own, each cut to `AGENT_WORDS_MAX`.
 * Nobody has checked them: shown below our own words and marked as the agent's. Null: it says nothing.
 */
export interface AgentWords {
  readonly label: string | null;
  readonly description: string | null;
  /** Only tools that it describes. */
  readonly tools: readonly { readonly name: string; readonly words: string }[];
  /** Further tools that it describes. */
  readonly more: number;
}
