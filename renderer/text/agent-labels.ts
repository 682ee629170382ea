import { type AgentNames, lookOf, shownName } from "../../app/bridge/agent-names.ts";
import type { ConsentCard } from "../../app/bridge/views.ts";
import { visibleString } from "./visible-text.ts";

export interface NamedAgent extends AgentNames {
  readonly agent_id: string;
  readonly fingerprint: string;
}

/** What is drawn for each agent, by its id, where there is room for a name alone. */
export type AgentLabels = ReadonlyMap<string, string>;

/** Letters of a fingerprint that tell two agents apart; they are compared where all of it stands. */
const TELLING_CHARS = 9;

/**
 * Any agent may claim the name that the person gave another: those that would look alike are told
 * apart by the beginning of their keys.
 */
export function agentLabels(agents: readonly NamedAgent[]): AgentLabels {
  const distinct = new Map(agents.map((agent) => [agent.agent_id, agent]));
  const named = [...distinct.values()].map((agent) => ({
    ...agent,
    label: visibleString(shownName(agent)),
  }));
  const alike = Map.groupBy(named, ({ label }) => lookOf(label));
  return new Map(
    named.map(({ agent_id, label, fingerprint }) => [
      agent_id,
      (alike.get(lookOf(label))?.length ?? 0) > 1 ? withKey(label, fingerprint) : label,
    ]),
  );
}

const withKey = (label: string, fingerprint: string): string =>
  `${label} (${fingerprint.slice(0, TELLING_CHARS)})`;

/** The same for the agent of a request, where the program has looked at all the others. */
export function labelOfCard(
  card: Pick<ConsentCard, "agent_name" | "petname" | "fingerprint" | "name_is_shared">,
): string {
  const label = visibleString(shownName({ name: card.agent_name, petname: card.petname }));
  return card.name_is_shared ? withKey(label, card.fingerprint) : label;
}

/** The agents that a newcomer of this name could be taken for, as they are drawn. */
export const lookalikes = (agents: readonly NamedAgent[], name: string): readonly string[] =>
  agents
    .filter((agent) =>
      [agent.name, shownName(agent)].some(
        (own) => lookOf(visibleString(own)) === lookOf(visibleString(name)),
      ),
    )
    .map((agent) => `${visibleString(shownName(agent))} (${agent.fingerprint})`);

/** An agent that is no longer there goes by the name it had, else by its id. */
export const labelOf = (labels: AgentLabels, agent_id: string, claimed: string): string =>
  labels.get(agent_id) ?? visibleString(claimed === "" ? agent_id : claimed);

export const isSameLabels = (one: AgentLabels, other: AgentLabels): boolean =>
  one.size === other.size && [...one].every(([id, label]) => other.get(id) === label);
