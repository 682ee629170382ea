import type { KeyMark } from "../contract/key-mark.ts";

/** An agent's names. */
export interface AgentNames {
  /** Its own name; any agent may claim any name. */
  readonly name: string;
  /** The person's own name for it. */
  readonly petname: string | null;
}

/**
 * Why a name needs a closer look (UTS #39): one of its words mixes alphabets, or it uses letters of
 * another alphabet that all look Latin.
 */
const NAME_MARKS = ["mixed_scripts", "looks_latin"] as const;
export type NameMark = (typeof NAME_MARKS)[number];

/** How an agent is distinguished from others, as the program determined it. */
export interface AgentSigns {
  readonly key_mark: KeyMark;
  /** Another agent has a name that looks the same. */
  readonly name_is_shared: boolean;
  readonly name_mark: NameMark | null;
}

/** The name that the program uses for an agent: the person's, else the agent's own. */
export const shownName = ({ name, petname }: AgentNames): string => petname ?? name;

/** Says what is wrong with a key that has no fingerprint. */
type KeyWord = (kind: Exclude<KeyMark["kind"], "known">) => string;

/**
 * What is shown next to a name that could deceive on its own: the whole fingerprint, because somebody
 * could compute a key that matches part of it. Null: the name is enough.
 */
export function keyBeside(
  { key_mark: key, name_is_shared, name_mark }: AgentSigns,
  word: KeyWord,
): string | null {
  if (!name_is_shared && name_mark === null) return null;
  return key.kind === "known" ? key.fingerprint : word(key.kind);
}

/** An agent's name where there is no room for anything else. @param drawn as it is drawn */
export function labelWith(drawn: string, signs: AgentSigns, word: KeyWord): string {
  const key = keyBeside(signs, word);
  return key === null ? drawn : `${drawn} (${key})`;
}
