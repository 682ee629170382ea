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
 * The lists are some megabytes: only what judges a password loads this file, and when it does.
 * Comparing with each listed word for a slip of the pen would take a quarter of a second a key.
 */
const judge = new ZxcvbnFactory({
  dictionary: { ...common, ...english, ...german },
  graphs: adjacencyGraphs,
  maxLength: 128,
});

/** What anybody would try at a backup of this program's. */
const OWN_WORDS = ["consentry", "backup", "identity", "identität"];

/**
 * How well a password would hold against somebody who has the file and much time. `strong` is the
 * estimate's highest score, 10^10 guesses and more: what it calls safe against a slow hash offline.
 */
export function passwordStrength(password: string): PasswordStrength {
  const { score, feedback } = judge.check(password.normalize("NFKC"), OWN_WORDS);
  return {
    level: score === 4 ? "strong" : score === 3 ? "fair" : "weak",
    warning: PASSWORD_WARNINGS.find((word) => word === feedback.warning) ?? null,
    suggestions: PASSWORD_SUGGESTIONS.filter((word) => feedback.suggestions.includes(word)),
  };
}
