/** What an agent is called. */
export interface AgentNames {
  /** As it calls itself: any agent may claim any name. */
  readonly name: string;
  /** The person's own name for it. */
  readonly petname: string | null;
}

/** What the program calls an agent, wherever it names one: by the person's own name before its. */
export const shownName = ({ name, petname }: AgentNames): string => petname ?? name;

/** Two names as drawn with the same look are taken for each other: case, width and room do not count. */
export const lookOf = (drawn: string): string =>
  drawn.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
