import { describe, expect, it } from "vitest";
import { agentIdIn } from "./agent-link.ts";

const ID = "5Jc0xqBv1mZk8TnW3rYd7u";

describe("what a person pastes to add an agent", () => {
  it("is an id or a link, with space around it or not", () => {
    expect(agentIdIn(ID)).toBe(ID);
    expect(agentIdIn(`consentry:agent/${ID}`)).toBe(ID);
    expect(agentIdIn(`  consentry:agent/${ID}\n`)).toBe(ID);
  });

  it.each([
    "",
    " ",
    `https://example.com/agent/${ID}`,
    `consentry://agent/${ID}`,
    `consentry:agent/${ID}?hub=http://127.0.0.1:4800`,
    `consentry:agent/${ID}?granted_scopes=shell:exec`,
    `consentry:agent/${ID}#scopes`,
    `consentry:agent/${ID}/accept`,
    `consentry:agent/../${ID}`,
    `consentry:agent/%2e%2e`,
    `CONSENTRY:AGENT/${ID}`,
    `${ID} ${ID}`,
    `${ID}\u202e`,
    "a".repeat(129),
  ])("says nothing but the id: %j is neither", (text) => {
    expect(agentIdIn(text)).toBeNull();
  });
});
