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
const NAME_MARKS = ["mixed_scripts", "looks_latin"] as const;
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

/** Says what is wrong with a key that has no fingerprint. */
type KeyWord = (kind: Exclude<KeyMark["kind"], "known">) => string;

/**
 * What stands beside a name that could deceive alone: the whole fingerprint, for a part of it could
 * be ground. Null: the name is enough.
 */
export function keyBeside(
  { key_mark: key, name_is_shared, name_mark }: AgentSigns,
  word: KeyWord,
): string | null {
  if (!name_is_shared && name_mark === null) return null;
  return key.kind === "known" ? key.fingerprint : word(key.kind);
}

/** An agent's name where there is room for nothing else. @param drawn as it is drawn */
export function labelWith(drawn: string, signs: AgentSigns, word: KeyWord): string {
  const key = keyBeside(signs, word);
  return key === null ? drawn : `${drawn} (${key})`;
}
