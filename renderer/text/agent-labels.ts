import {
  type AgentDetails,
  type AgentNames,
  type AgentSigns,
  keyBeside,
  labelWith,
  shownName,
} from "../../app/bridge/agent-views.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { Translate } from "../../i18n/index.ts";
import { useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { visibleString } from "./visible-text.ts";

export interface NamedAgent extends AgentNames, AgentSigns {
  readonly agent_id: string;
}

/** What is displayed for an agent where there is room for a name only. */
export interface AgentLabel {
  readonly name: string;
  /** Shown beside a name that could be mistaken for another. */
  readonly key: string | null;
  /** Both as one text. */
  readonly text: string;
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
        key: keyBeside(t, agent),
        text: labelOfAgent(t, agent),
      },
    ]),
  );

/** The name, plus the key if the name alone could be mistaken for another. */
export const labelOfAgent = (t: Translate, agent: AgentNames & AgentSigns): string =>
  labelWith(t, visibleString(shownName(agent)), agent);

export const labelOfCard = (
  t: Translate,
  card: Pick<ConsentCard, "agent_name" | "petname" | keyof AgentSigns>,
): string => labelOfAgent(t, { ...card, name: card.agent_name });

/** An agent that was removed is shown by the name it had, otherwise by its id. */
export const labelPartsOf = (labels: AgentLabels, agent_id: string, claimed: string): AgentLabel =>
  labels.get(agent_id) ?? bareLabel(visibleString(claimed === "" ? agent_id : claimed));

export const bareLabel = (name: string): AgentLabel => ({ name, key: null, text: name });

/** The same as one text. */
export const labelOf = (labels: AgentLabels, agent_id: string, claimed: string): string =>
  labelPartsOf(labels, agent_id, claimed).text;

const isSameLabels = (one: AgentLabels, other: AgentLabels): boolean =>
  one.size === other.size &&
  [...one].every(([id, { text }]) => {
    const now = other.get(id);
    return now?.text === text;
  });

interface Drawn {
  readonly t: Translate | null;
  readonly agents: readonly AgentDetails[];
  readonly labels: AgentLabels;
}

const NONE: readonly AgentDetails[] = [];
let drawn: Drawn = { t: null, agents: NONE, labels: new Map() };

/** Cached: every line of a page asks, and must only render again if a name has changed. */
function labelsIn(t: Translate, agents: readonly AgentDetails[]): AgentLabels {
  if (agents !== drawn.agents || t !== drawn.t) {
    const labels = agentLabels(t, agents);
    drawn = { t, agents, labels: isSameLabels(labels, drawn.labels) ? drawn.labels : labels };
  }
  return drawn.labels;
}

export function useAgentLabels(): AgentLabels {
  const { t } = useTexts();
  return useShown(({ snapshot }) => labelsIn(t, snapshot?.agents ?? NONE));
}

/** @param claimed the name it gave itself, for an agent that was removed; "" if unknown */
export const useAgentLabel = (agent_id: string, claimed: string): string =>
  labelOf(useAgentLabels(), agent_id, claimed);

/** Agents, and together those that are one program in one project: its tools and its hooks. */
export function programsOf<A extends NamedAgent>(agents: readonly A[]): readonly (readonly A[])[] {
  const same = ({ agent_id, project_folder, ...names }: A): string =>
    project_folder === undefined ? agent_id : JSON.stringify([shownName(names), project_folder]);
  return [...Map.groupBy(agents, same).values()];
}
