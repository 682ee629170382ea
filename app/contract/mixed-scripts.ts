import { scriptsOf } from "./scripts.ts";

/**
 * Scripts that are written together (UTS #39, augmented script sets): Japanese is Han with kana,
 * Korean Han with Hangul, and Chinese Han with Bopomofo.
 */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Hani: ["Hani", "Jpan", "Kore", "Hanb"],
  Hira: ["Hira", "Jpan"],
  Kana: ["Kana", "Jpan"],
  Hang: ["Hang", "Kore"],
  Bopo: ["Bopo", "Hanb"],
};
/** What may be mixed with Latin (UTS #39, "highly restrictive"). */
const BESIDE_LATIN = ["Jpan", "Kore", "Hanb"];
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

type Scripts = ReadonlySet<string>;

const shared = ([first = new Set(), ...rest]: readonly Scripts[]): Scripts =>
  new Set([...first].filter((script) => rest.every((set) => set.has(script))));

function isMixed(word: string): boolean {
  const sets = [...new Set(word)].flatMap((character): readonly Scripts[] => {
    const scripts = scriptsOf(character);
    return scripts === null ? [] : [new Set(scripts.flatMap((each) => FAMILIES[each] ?? [each]))];
  });
  if (sets.length === 0 || shared(sets).size > 0) return false;
  const others = sets.filter((set) => !set.has("Latn"));
  if (others.length === 0) return false;
  const beside = shared(others);
  return !BESIDE_LATIN.some((family) => beside.has(family));
}

/**
 * Words that mix scripts whose letters can look alike, each once. Different words of a text may use
 * different scripts; no language mixes them within a word.
 */
export const mixedScriptWords = (text: string): readonly string[] => [
  ...new Set(text.split(BETWEEN_WORDS).filter(isMixed)),
];
