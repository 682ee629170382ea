/** How well a password would hold against somebody who has the file and much time. */
export const PASSWORD_STRENGTHS = ["too_short", "weak", "fair", "strong"] as const;
export type PasswordStrength = (typeof PASSWORD_STRENGTHS)[number];

/** Characters; Argon2id makes each guess cost, but not enough for less than this. */
export const PASSWORD_MIN = 10;
export const PASSWORD_MAX = 1_024;

const FAIR_BITS = 50;
const STRONG_BITS = 75;

/** A character that only repeats or continues what came before adds about this much. */
const PREDICTABLE_BITS = 1;

/**
 * A cautious guess, by what somebody who knows nothing of the person would have to try: the kinds
 * of characters used, less where they repeat or run on. It cannot know that a word is famous.
 */
export function passwordStrength(password: string): PasswordStrength {
  const characters = [...password.normalize("NFKC")];
  if (characters.length < PASSWORD_MIN) return "too_short";
  const perCharacter = Math.log2(poolOf(characters));
  const bits = characters.reduce(
    (sum, _, at) => sum + (isPredictable(characters, at) ? PREDICTABLE_BITS : perCharacter),
    0,
  );
  // Whatever its kinds, text made of few different characters is soon tried.
  const variety = new Set(characters).size * perCharacter * 2;
  const worth = Math.min(bits, variety);
  if (worth < FAIR_BITS) return "weak";
  return worth < STRONG_BITS ? "fair" : "strong";
}

/** Words lie close together: what follows a letter is guessed better than a letter at random. */
const KINDS: readonly (readonly [RegExp, number])[] = [
  [/\p{Ll}/u, 12],
  [/\p{Lu}/u, 12],
  [/\p{Lo}/u, 500],
  [/\p{N}/u, 10],
  [/[^\p{L}\p{N}]/u, 20],
];

const poolOf = (characters: readonly string[]): number =>
  KINDS.reduce(
    (sum, [kind, size]) => sum + (characters.some((each) => kind.test(each)) ? size : 0),
    0,
  );

/** The same as one of the two before, or the next or previous in the alphabet. */
function isPredictable(characters: readonly string[], at: number): boolean {
  const [own, before, earlier] = [at, at - 1, at - 2].map((place) =>
    characters[place]?.toLowerCase(),
  );
  if (own === undefined || before === undefined) return false;
  const step = (own.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  return own === earlier || Math.abs(step) <= 1;
}
