import {
  type AgentNames,
  type AgentSigns,
  keyBeside,
  labelWith,
  shownName,
} from "../../app/bridge/agent-names.ts";
import type { ConsentCard } from "../../app/bridge/views.ts";
import type { Translate } from "../../i18n/index.ts";
import { visibleString } from "./visible-text.ts";

export interface NamedAgent extends AgentNames, AgentSigns {
  readonly agent_id: string;
}

/** What is displayed for an agent where there is room for a name only. */
export interface AgentLabel {
  readonly name: string;
  /** Shown beside a name that could be mistaken for another. */
  readonly key: string | null;
}

/** By agent id. */
export type AgentLabels = ReadonlyMap<string, AgentLabel>;

/** Labels that could be mistaken for each other also get their keys. */
export const agentLabels = (t: Translate, agents: readonly NamedAgent[]): AgentLabels =>
  new Map(
    agents.map((agent) => [
      agent.agent_id,
      {
        name: visibleString(shownName(agent)),
        key: keyBeside(agent, (kind) => t(`agents.key_is.${kind}`)),
      },
    ]),
  );

/** The name, plus the key if the name alone could be mistaken for another. */
export const labelOfAgent = (t: Translate, agent: AgentNames & AgentSigns): string =>
  labelWith(visibleString(shownName(agent)), agent, (kind) => t(`agents.key_is.${kind}`));

/** The agent of a request. */
export const labelOfCard = (
  t: Translate,
  card: Pick<ConsentCard, "agent_name" | "petname" | keyof AgentSigns>,
): string => labelOfAgent(t, { ...card, name: card.agent_name });

/** An agent that was removed is shown by the name it had, otherwise by its id. */
export const labelPartsOf = (labels: AgentLabels, agent_id: string, claimed: string): AgentLabel =>
  labels.get(agent_id) ?? { name: visibleString(claimed === "" ? agent_id : claimed), key: null };

export const labelText = ({ name, key }: AgentLabel): string =>
  key === null ? name : `${name} (${key})`;

/** The same as one text. */
export const labelOf = (labels: AgentLabels, agent_id: string, claimed: string): string =>
  labelText(labelPartsOf(labels, agent_id, claimed));

export const isSameLabels = (one: AgentLabels, other: AgentLabels): boolean =>
  one.size === other.size &&
  [...one].every(([id, { name, key }]) => {
    const now = other.get(id);
    return now?.name === name && now.key === key;
  });
