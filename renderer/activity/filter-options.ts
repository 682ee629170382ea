import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { type LocaleName, scopeLabel, toolLabel } from "../../i18n/index.ts";
import { type AgentLabels, labelOf } from "../text/agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";
import type { FilterOption } from "./filter-select.tsx";

type Options = readonly FilterOption<string>[];

/** Of the connected agents, and the current choice: its agent may have been removed. */
export const agentOptions = (labels: AgentLabels, chosen: string | null): Options =>
  withChosen(
    [...labels].map(([word, label]) => ({ word, label: label.text })),
    chosen,
    (agent_id) => labelOf(labels, agent_id, ""),
  );

export function toolOptions(
  agents: readonly AgentDetails[],
  language: LocaleName,
  chosen: string | null,
): Options {
  const label = (word: string) => visibleString(toolLabel(language, word));
  const tools = new Set(agents.flatMap(({ grants }) => grants.flatMap(({ scope }) => scope.tools)));
  return withChosen(
    [...tools].map((word) => ({ word, label: label(word) })),
    chosen,
    label,
  );
}

export function scopeOptions(
  agents: readonly AgentDetails[],
  language: LocaleName,
  chosen: string | null,
): Options {
  const label = (id: string) => visibleString(scopeLabel(language, { id }));
  const scopes = new Map(
    agents.flatMap(({ grants }) => grants.map(({ scope }) => [scope.id, scope] as const)),
  );
  return withChosen(
    [...scopes.values()].map((scope) => ({
      word: scope.id,
      label: visibleString(scopeLabel(language, scope)),
    })),
    chosen,
    label,
  );
}

function withChosen(
  options: Options,
  chosen: string | null,
  labelOf: (word: string) => string,
): Options {
  if (chosen === null || options.some(({ word }) => word === chosen)) return options;
  return [...options, { word: chosen, label: labelOf(chosen) }];
}
