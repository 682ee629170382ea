/**
 * Words of a path or host that mix scripts whose letters look alike (UTS 39 "highly restrictive":
 * Han with kana, Hangul or Bopomofo may stand together, and with Latin).
 */
const SCRIPTS = [
  "Latin",
  "Greek",
  "Cyrillic",
  "Armenian",
  "Georgian",
  "Hebrew",
  "Arabic",
  "Cherokee",
  "Coptic",
  "Devanagari",
  "Thai",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Bopomofo",
] as const;
type Script = (typeof SCRIPTS)[number] | "other";

const TESTS = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);
const TOGETHER: readonly (readonly Script[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Hangul"],
  ["Latin", "Han", "Bopomofo"],
];
const LETTER = /^\p{L}$/u;
const NEUTRAL = /^[\p{Script=Common}\p{Script=Inherited}]$/u;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

function scriptOf(letter: string): Script {
  return TESTS.find(([, test]) => test.test(letter))?.[0] ?? "other";
}

function scriptsOf(word: string): ReadonlySet<Script> {
  const letters = [...word].filter((each) => LETTER.test(each) && !NEUTRAL.test(each));
  return new Set(letters.map(scriptOf));
}

function isMixed(word: string): boolean {
  const scripts = scriptsOf(word);
  if (scripts.size < 2) return false;
  return !TOGETHER.some((family) => [...scripts].every((script) => family.includes(script)));
}

export const mixedScriptWords = (text: string): readonly string[] => [
  ...new Set(text.split(BETWEEN_WORDS).filter(isMixed)),
];
