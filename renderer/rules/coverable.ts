import type { AgentCard } from "../../app/bridge/views.ts";
import { CATALOGUE } from "../../app/contract/catalogue.ts";
import { ownToolName } from "../../app/contract/tool-aliases.ts";

/** The tools of an agent that a rule can cover. */
export const toolsOf = ({ grants }: AgentCard): readonly string[] => {
  const declared = new Set(grants.flatMap(({ scope }) => scope.tools.map(ownToolName)));
  return [...CATALOGUE.keys()].filter((name) => declared.has(name));
};

/** These, and the scopes that have more than one of them. */
export function coverable(agent: AgentCard): readonly string[] {
  const tools = toolsOf(agent);
  const scopes = agent.grants
    .map(({ scope }) => scope.id)
    .filter((id) => tools.filter((name) => CATALOGUE.get(name)?.scope === id).length > 1);
  return [...tools, ...scopes];
}
