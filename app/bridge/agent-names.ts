import type { KeyMark } from "../contract/key-mark.ts";

/** What an agent is called. */
export interface AgentNames {
  /** As it calls itself: any agent may claim any name. */
  readonly name: string;
  /** The person's own name for it. */
  readonly petname: string | null;
}

/**
 * What a name is to be looked at for (UTS #39): a word of it mixes alphabets, or it is written with
 * letters of another one that all look Latin.
 */
export const NAME_MARKS = ["mixed_scripts", "looks_latin"] as const;
export type NameMark = (typeof NAME_MARKS)[number];

/** By what an agent is told from others, as the program has found it. */
export interface AgentSigns {
  readonly key_mark: KeyMark;
  /** Another agent goes by a name that looks the same. */
  readonly name_is_shared: boolean;
  readonly name_mark: NameMark | null;
}

/** What the program calls an agent, wherever it names one: by the person's own name before its. */
export const shownName = ({ name, petname }: AgentNames): string => petname ?? name;

/**
 * An agent's name where there is room for nothing else: with its whole fingerprint where the name
 * alone could deceive. A part of it could be ground.
 * @param drawn the name as it is drawn
 * @param word says what is wrong with a key that has no fingerprint
 */
export const labelWith = (
  drawn: string,
  { key_mark: key, name_is_shared, name_mark }: AgentSigns,
  word: (kind: Exclude<KeyMark["kind"], "known">) => string,
): string => {
  if (!name_is_shared && name_mark === null) return drawn;
  return `${drawn} (${key.kind === "known" ? key.fingerprint : word(key.kind)})`;
};
