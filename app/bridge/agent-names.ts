import type { KeyMark } from "../contract/key-mark.ts";

/** What an agent is called. */
export interface AgentNames {
  /** As it calls itself: any agent may claim any name. */
  readonly name: string;
  /** The person's own name for it. */
  readonly petname: string | null;
}

/** By what an agent is told from others, as the program has found it. */
export interface AgentSigns {
  readonly key_mark: KeyMark;
  /** Another agent goes by a name that looks the same. */
  readonly name_is_shared: boolean;
}

/** What the program calls an agent, wherever it names one: by the person's own name before its. */
export const shownName = ({ name, petname }: AgentNames): string => petname ?? name;

/** Two names as drawn with the same look are taken for each other: case, width and room do not count. */
export const lookOf = (drawn: string): string =>
  drawn.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

/**
 * An agent's name where there is room for nothing else: with its whole fingerprint where the name
 * alone could be taken for another's. A part of it could be ground.
 * @param drawn the name as it is drawn
 * @param word says what is wrong with a key that has no fingerprint
 */
export const labelWith = (
  drawn: string,
  { key_mark: key, name_is_shared }: AgentSigns,
  word: (kind: Exclude<KeyMark["kind"], "known">) => string,
): string => {
  if (!name_is_shared) return drawn;
  return `${drawn} (${key.kind === "known" ? key.fingerprint : word(key.kind)})`;
};
