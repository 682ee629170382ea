import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as german } from "@zxcvbn-ts/language-de";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import {
  PASSWORD_SUGGESTIONS,
  PASSWORD_WARNINGS,
  type PasswordStrength,
} from "./password-words.ts";

/**
 * The word lists are some megabytes, so this file is loaded only when a password is checked.
 * Looking for misspellings of every listed word would take a quarter of a second per keystroke.
 */
const judge = new ZxcvbnFactory({
  dictionary: { ...common, ...english, ...german },
  graphs: adjacencyGraphs,
  maxLength: 128,
});

/** What anybody would try on a backup made by this program. */
const OWN_WORDS = ["consentry", "backup", "identity", "identität"];

/**
 * How well a password resists somebody who has the file and much time. `strong` is zxcvbn's highest
 * score, 10^10 guesses and more, which it calls safe against offline attacks on a slow hash.
 */
export function passwordStrength(password: string): PasswordStrength {
  const { score, feedback } = judge.check(password.normalize("NFKC"), OWN_WORDS);
  return {
    level: score === 4 ? "strong" : score === 3 ? "fair" : "weak",
    warning: PASSWORD_WARNINGS.find((word) => word === feedback.warning) ?? null,
    suggestions: PASSWORD_SUGGESTIONS.filter((word) => feedback.suggestions.includes(word)),
  };
}
