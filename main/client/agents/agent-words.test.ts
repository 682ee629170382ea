import { describe, expect, it } from "vitest";
import { AGENT_WORDS_MAX, AGENT_WORDS_TOOLS } from "../../../app/bridge/agent-views.ts";
import type { ManifestScope, ManifestTool } from "../../../app/contract/manifest.ts";
import { agentWords } from "./scope-view.ts";

const scope = (parts: Partial<ManifestScope> = {}): ManifestScope => ({
  id: "filesystem:read",
  label_i18n_key: "key",
  sensitivity: "medium",
  ...parts,
});
const tool = (name: string, description_fallback?: string): ManifestTool => ({
  name,
  description_i18n_key: "key",
  ...(description_fallback === undefined ? {} : { description_fallback }),
  input_schema: { type: "object" },
  permission_scope: "filesystem:read",
});

describe("an agent's own words", () => {
  it("are its label, its description and what it says of its tools", () => {
    const said = scope({ label_fallback: " Your files ", description_fallback: "To help." });
    expect(agentWords(said, [tool("read_file", "Sends your files away."), tool("other")])).toEqual({
      label: "Your files",
      description: "To help.",
      tools: [{ name: "read_file", words: "Sends your files away." }],
      more: 0,
    });
  });

  it("are none where it says nothing, or only repeats a name", () => {
    const silent = scope({ label_fallback: " ", description_fallback: "" });
    expect(agentWords(silent, [tool("read_file", "read_file")])).toEqual({
      label: null,
      description: null,
      tools: [],
      more: 0,
    });
    const named = scope({ label_fallback: "filesystem:read" });
    expect(agentWords(named, [])).toMatchObject({ label: null });
    expect(agentWords(undefined, [])).toMatchObject({ label: null, tools: [] });
  });

  it("are cut between characters, and so is their number", () => {
    const words = "🦊".repeat(10_000);
    const tools = Array.from({ length: AGENT_WORDS_TOOLS + 3 }, (_, at) => tool(`t${at}`, words));
    const said = agentWords(scope({ label_fallback: words }), tools);
    expect(said.label).toBe(`${"🦊".repeat(AGENT_WORDS_MAX - 1)}…`);
    expect([said.tools.length, said.more]).toEqual([AGENT_WORDS_TOOLS, 3]);
    const exact = "x".repeat(AGENT_WORDS_MAX);
    expect(agentWords(scope({ label_fallback: exact }), []).label).toBe(exact);
  });
});
