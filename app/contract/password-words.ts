/** How strong a password is; only a `strong` one may protect a backup. */
export interface PasswordStrength {
  readonly level: "weak" | "fair" | "strong";
  readonly warning: PasswordWarning | null;
  readonly suggestions: readonly PasswordSuggestion[];
}

/** What makes a password easy to guess, by zxcvbn's names. */
export const PASSWORD_WARNINGS = [
  "straightRow",
  "keyPattern",
  "simpleRepeat",
  "extendedRepeat",
  "sequences",
  "recentYears",
  "dates",
  "topTen",
  "topHundred",
  "common",
  "similarToCommon",
  "wordByItself",
  "namesByThemselves",
  "commonNames",
  "userInputs",
] as const;
type PasswordWarning = (typeof PASSWORD_WARNINGS)[number];

/** What would make it better. */
export const PASSWORD_SUGGESTIONS = [
  "l33t",
  "reverseWords",
  "allUppercase",
  "capitalization",
  "dates",
  "recentYears",
  "associatedYears",
  "sequences",
  "repeated",
  "longerKeyboardPattern",
  "anotherWord",
  "useWords",
  "noNeed",
] as const;
type PasswordSuggestion = (typeof PASSWORD_SUGGESTIONS)[number];
