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

/** What is drawn for an agent where there is room for a name alone. */
export interface AgentLabel {
  readonly name: string;
  /** Beside a name that could be taken for another's. */
  readonly key: string | null;
}

/** By its id. */
export type AgentLabels = ReadonlyMap<string, AgentLabel>;

/** Those that could be taken for others are told apart by their keys. */
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

/** By its name, and by its key where the name alone could be taken for another's. */
export const labelOfAgent = (t: Translate, agent: AgentNames & AgentSigns): string =>
  labelWith(visibleString(shownName(agent)), agent, (kind) => t(`agents.key_is.${kind}`));

/** The agent of a request. */
export const labelOfCard = (
  t: Translate,
  card: Pick<ConsentCard, "agent_name" | "petname" | keyof AgentSigns>,
): string => labelOfAgent(t, { ...card, name: card.agent_name });

/** An agent that is no longer there goes by the name it had, else by its id. */
export const labelPartsOf = (labels: AgentLabels, agent_id: string, claimed: string): AgentLabel =>
  labels.get(agent_id) ?? { name: visibleString(claimed === "" ? agent_id : claimed), key: null };

export const labelText = ({ name, key }: AgentLabel): string =>
  key === null ? name : `${name} (${key})`;

/** The same in one text. */
export const labelOf = (labels: AgentLabels, agent_id: string, claimed: string): string =>
  labelText(labelPartsOf(labels, agent_id, claimed));

export const isSameLabels = (one: AgentLabels, other: AgentLabels): boolean =>
  one.size === other.size &&
  [...one].every(([id, { name, key }]) => {
    const now = other.get(id);
    return now?.name === name && now.key === key;
  });
