import type { AgentCard } from "../../app/bridge/views.ts";
import { type LocaleName, scopeLabel, toolLabel } from "../../i18n/index.ts";

/** The name of what a rule covers: a tool, or a scope with all its tools. */
export function coveredName(language: LocaleName, { grants }: AgentCard, covers: string): string {
  const scope = grants.find((grant) => grant.scope.id === covers)?.scope;
  return scope === undefined ? toolLabel(language, covers) : scopeLabel(language, scope);
}
